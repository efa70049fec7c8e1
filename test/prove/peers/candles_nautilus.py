"""Two moving averages in NautilusTrader: candles_nautilus.py FOLDER RUNS RULE."""
from decimal import Decimal

import pandas as pd
from nautilus_trader.backtest.config import BacktestEngineConfig
from nautilus_trader.backtest.engine import BacktestEngine
from nautilus_trader.config import LoggingConfig
from nautilus_trader.indicators import SimpleMovingAverage
from nautilus_trader.model.currencies import EUR
from nautilus_trader.model.data import BarType
from nautilus_trader.model.enums import AccountType, OmsType, OrderSide
from nautilus_trader.model.identifiers import InstrumentId, Symbol, Venue
from nautilus_trader.model.instruments import Equity
from nautilus_trader.model.objects import Money, Price, Quantity
from nautilus_trader.persistence.wranglers import BarDataWrangler
from nautilus_trader.trading.strategy import Strategy

from peer import report, rule, timed

VENUE = Venue('SIM')
INSTRUMENT_ID = InstrumentId(Symbol('ABC'), VENUE)
BAR_TYPE = BarType.from_str(f'{INSTRUMENT_ID}-1-MINUTE-LAST-EXTERNAL')


def instrument_of(given):
    fee = Decimal(given['takerFeeBps']) / 10_000
    return Equity(
        instrument_id=INSTRUMENT_ID,
        raw_symbol=INSTRUMENT_ID.symbol,
        currency=EUR,
        price_precision=2,
        price_increment=Price.from_str('0.01'),
        lot_size=Quantity.from_int(1),
        maker_fee=fee,
        taker_fee=fee,
        ts_event=0,
        ts_init=0,
    )


class Cross(Strategy):
    """Holds one unit while the fast average is above the slow one, and nothing otherwise."""

    def __init__(self, instrument, given):
        super().__init__()
        self.instrument = instrument
        self.size = instrument.make_qty(Decimal(given['size']))
        self.fast = SimpleMovingAverage(given['fast'])
        self.slow = SimpleMovingAverage(given['slow'])
        self.submits = 0
        self.fills = 0

    def on_start(self):
        self.register_indicator_for_bars(BAR_TYPE, self.fast)
        self.register_indicator_for_bars(BAR_TYPE, self.slow)
        self.subscribe_bars(BAR_TYPE)

    def on_reset(self):
        self.fast.reset()
        self.slow.reset()
        self.submits = 0
        self.fills = 0

    def on_bar(self, _bar):
        if not self.slow.initialized:
            return
        is_above = self.fast.value > self.slow.value
        is_flat = self.portfolio.is_flat(INSTRUMENT_ID)
        if is_above == is_flat:
            side = OrderSide.BUY if is_above else OrderSide.SELL
            self.submits += 1
            self.submit_order(self.order_factory.market(INSTRUMENT_ID, side, self.size))

    def on_order_filled(self, _event):
        self.fills += 1


def bars_of(folder, instrument):
    candles = pd.read_csv(f'{folder}/candles.csv')
    # A bar is known at its end.
    candles.index = pd.to_datetime(candles.pop('time_us') + 60_000_000, unit='us', utc=True)
    # Of one type alone pandas would hand out an array that the wrangler may not use.
    candles['volume'] = candles['volume'].astype('int64')
    return BarDataWrangler(BAR_TYPE, instrument).process(candles)


def main():
    folder, runs, given = rule()
    engine = BacktestEngine(
        config=BacktestEngineConfig(logging=LoggingConfig(log_level='ERROR')),
    )
    engine.add_venue(
        VENUE, OmsType.NETTING, AccountType.CASH, [Money(1_000_000, EUR)], base_currency=EUR,
    )
    instrument = instrument_of(given)
    engine.add_instrument(instrument)
    engine.add_data(bars_of(folder, instrument))
    strategy = Cross(instrument, given)
    engine.add_strategy(strategy)
    times = []
    for run in range(runs):
        if run > 0:
            engine.reset()
        _, took = timed(engine.run)
        times.append(took)
    report(times, strategy.submits, strategy.fills)


main()
