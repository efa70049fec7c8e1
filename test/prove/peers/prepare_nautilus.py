"""prepare_nautilus.py FOLDER: makes tables of book deltas and of trades from flow.csv, once."""
import sys

import pandas as pd


def main(folder):
    left = {}
    price_of = {}
    deltas = []
    trades = []
    flow = pd.read_csv(f'{folder}/flow.csv', dtype={'price': 'float64', 'volume': 'float64'})
    columns = [flow[name] for name in ('time_us', 'action', 'order_id', 'side', 'price', 'volume')]
    for index, (time_us, action, order, side, price, volume) in enumerate(zip(*columns)):
        side_text = 'BUY' if side == 'bid' else 'SELL'
        if action == 'create':
            left[order], price_of[order] = volume, price
            deltas.append((time_us, 'ADD', side_text, price, volume, order, index))
            continue
        price = price_of[order]
        if action == 'trade':
            left[order] = round(left[order] - volume, 6)
            taker = 'SELL' if side == 'bid' else 'BUY'
            trades.append((time_us, price, volume, taker, str(index)))
        if action == 'delete' or left[order] == 0:
            deltas.append((time_us, 'DELETE', side_text, price, left[order], order, index))
            del left[order], price_of[order]
        else:
            deltas.append((time_us, 'UPDATE', side_text, price, left[order], order, index))
    save(f'{folder}/deltas.parquet', deltas,
         ['time_us', 'action', 'side', 'price', 'size', 'order_id', 'sequence'])
    save(f'{folder}/trades.parquet', trades, ['time_us', 'price', 'quantity', 'side', 'trade_id'])


def save(path, rows, columns):
    pd.DataFrame(rows, columns=columns).to_parquet(path)


main(sys.argv[1])
