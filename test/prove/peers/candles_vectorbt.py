"""Two moving averages in vectorbt: candles_vectorbt.py FOLDER RUNS RULE."""
import pandas as pd
import vectorbt as vbt

from peer import report, rule, timed

CASH = 1_000_000


def main():
    folder, runs, given = rule()
    candles = pd.read_csv(f'{folder}/candles.csv')
    candles.index = pd.to_datetime(candles['time_us'], unit='us')
    close = candles['close']

    def run():
        fast = vbt.MA.run(close, given['fast']).ma
        slow = vbt.MA.run(close, given['slow']).ma
        is_above = fast > slow
        portfolio = vbt.Portfolio.from_signals(
            close, is_above, ~is_above, size=float(given['size']), init_cash=CASH,
            fees=given['takerFeeBps'] / 1e4, freq='1min',
        )
        portfolio.stats()
        return portfolio.orders.count()

    times = []
    for _ in range(runs):
        orders, took = timed(run)
        times.append(took)
    report(times, int(orders), int(orders))


main()
