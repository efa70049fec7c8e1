"""Two moving averages in backtesting.py: candles_backtesting.py FOLDER RUNS RULE."""
import pandas as pd
from backtesting import Backtest, Strategy
from backtesting.lib import crossover

from peer import report, rule, timed

CASH = 1_000_000


def average(prices, count):
    return pd.Series(prices).rolling(count).mean()


def strategy_of(given):
    class Cross(Strategy):
        """Holds one unit while the fast average is above the slow one, and nothing otherwise.

        Written as the first example of its documentation.
        """

        def init(self):
            self.fast = self.I(average, self.data.Close, given['fast'])
            self.slow = self.I(average, self.data.Close, given['slow'])

        def next(self):
            if crossover(self.fast, self.slow):
                self.buy(size=int(given['size']))
            elif crossover(self.slow, self.fast):
                self.position.close()

    return Cross


def main():
    folder, runs, given = rule()
    candles = pd.read_csv(f'{folder}/candles.csv')
    candles.index = pd.to_datetime(candles.pop('time_us'), unit='us')
    candles.columns = [name.capitalize() for name in candles.columns]
    commission = given['takerFeeBps'] / 1e4
    times = []
    for _ in range(runs):
        backtest = Backtest(
            candles, strategy_of(given), cash=CASH, commission=commission, finalize_trades=False,
        )
        stats, took = timed(backtest.run)
        times.append(took)
    # An open position at the end has had its order, too.
    orders = 2 * len(stats['_trades']) + len(stats['_strategy'].trades)
    report(times, orders, orders)


main()
