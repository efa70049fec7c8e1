"""prepare_hftbacktest.py FOLDER: makes the events of hftbacktest from flow.csv, once.

level3.npz has each order: a trade is a fill of the resting order and then its cancellation or its
smaller volume. level2.npz has the volume at each price: a trade, and then what is left there.
"""
import csv
import sys

import numpy as np
from hftbacktest import (
    ADD_ORDER_EVENT, BUY_EVENT, CANCEL_ORDER_EVENT, DEPTH_EVENT, EXCH_EVENT, FILL_EVENT,
    LOCAL_EVENT, MODIFY_ORDER_EVENT, SELL_EVENT, TRADE_EVENT,
)
from hftbacktest.data import validate_event_order
from hftbacktest.types import event_dtype

FEED_NS = 1_000_000
LOTS = 1_000_000


def rows(path):
    """Yields time in nanoseconds, action, order, whether it bids, price and volume in lots."""
    with open(path, newline='') as file:
        for row in csv.DictReader(file):
            volume = round(float(row['volume']) * LOTS) if row['volume'] else 0
            is_bid = row['side'] == 'bid'
            yield (int(row['time_us']) * 1000, row['action'], int(row['order_id']), is_bid,
                   row['price'], volume)


def save(path, events):
    data = np.zeros(len(events), event_dtype)
    for index, (kind, is_buy, time_ns, price, lots, order) in enumerate(events):
        side = BUY_EVENT if is_buy else SELL_EVENT
        flags = kind | side | EXCH_EVENT | LOCAL_EVENT
        data[index] = (flags, time_ns, time_ns + FEED_NS, float(price), lots / LOTS, order, 0, 0)
    validate_event_order(data)
    np.savez_compressed(path, data=data)


def main(folder):
    orders = {}
    levels = {}
    level3 = []
    level2 = []
    for time_ns, action, order, is_bid, price, volume in rows(f'{folder}/flow.csv'):
        if action == 'create':
            orders[order] = [price, volume]
            change = volume
            level3.append((ADD_ORDER_EVENT, is_bid, time_ns, price, volume, order))
        else:
            price, left = orders[order]
            if action == 'trade':
                left -= volume
                level3.append((FILL_EVENT, is_bid, time_ns, price, volume, order))
                level2.append((TRADE_EVENT, not is_bid, time_ns, price, volume, 0))
            change = -volume if action == 'trade' else -left
            if action == 'delete' or left == 0:
                del orders[order]
                level3.append((CANCEL_ORDER_EVENT, is_bid, time_ns, price, 0, order))
            else:
                orders[order][1] = left
                level3.append((MODIFY_ORDER_EVENT, is_bid, time_ns, price, left, order))
        total = levels.get((is_bid, price), 0) + change
        levels[is_bid, price] = total
        level2.append((DEPTH_EVENT, is_bid, time_ns, price, total, 0))
    save(f'{folder}/level3.npz', level3)
    save(f'{folder}/level2.npz', level2)


main(sys.argv[1])
