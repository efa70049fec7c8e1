"""The maker in NautilusTrader: maker_nautilus.py FOLDER RUNS RULE."""
import math
from datetime import timedelta
from decimal import Decimal

import pandas as pd
from nautilus_trader.backtest.config import BacktestEngineConfig
from nautilus_trader.backtest.engine import BacktestEngine
from nautilus_trader.backtest.models import LatencyModel
from nautilus_trader.config import LoggingConfig
from nautilus_trader.model.currencies import BTC, ZAR
from nautilus_trader.model.enums import AccountType, BookType, OmsType, OrderSide, RecordFlag
from nautilus_trader.model.identifiers import InstrumentId, Symbol, Venue
from nautilus_trader.model.instruments import CurrencyPair
from nautilus_trader.model.objects import Money, Price, Quantity
from nautilus_trader.persistence.wranglers import OrderBookDeltaDataWrangler, TradeTickDataWrangler
from nautilus_trader.trading.strategy import Strategy

from peer import report, rule, timed

VENUE = Venue('SIM')
TICKS = 100


def instrument_of(given):
    return CurrencyPair(
        instrument_id=InstrumentId(Symbol('BTCZAR'), VENUE),
        raw_symbol=Symbol('BTCZAR'),
        base_currency=BTC,
        quote_currency=ZAR,
        price_precision=2,
        size_precision=6,
        price_increment=Price.from_str('0.01'),
        size_increment=Quantity.from_str('0.000001'),
        maker_fee=Decimal(given['makerFeeBps']) / 10_000,
        taker_fee=Decimal(given['takerFeeBps']) / 10_000,
        ts_event=0,
        ts_init=0,
    )


class Maker(Strategy):
    """Quotes both sides around the mid each second."""

    def __init__(self, instrument, given):
        super().__init__()
        self.instrument = instrument
        self.given = given
        self.size = instrument.make_qty(Decimal(given['size']))
        self.position_max = Decimal(given['positionMax'])
        self.forget()

    def forget(self):
        self.bid = None
        self.ask = None
        self.submits = 0
        self.fills = 0

    def on_start(self):
        self.subscribe_order_book_deltas(self.instrument.id, BookType.L3_MBO)
        refresh = timedelta(seconds=self.given['refreshSeconds'])
        self.clock.set_timer('refresh', refresh, callback=self.on_refresh)

    def on_reset(self):
        self.forget()

    def on_refresh(self, _event):
        book = self.cache.order_book(self.instrument.id)
        best_bid = book.best_bid_price() if book is not None else None
        best_ask = book.best_ask_price() if book is not None else None
        if best_bid is None or best_ask is None:
            return
        bid, ask = round(float(best_bid) * TICKS), round(float(best_ask) * TICKS)
        mid = (bid + ask) / 2
        half_spread = self.given['halfSpread']
        position = self.portfolio.net_position(self.instrument.id)
        self.bid = self.quote(
            self.bid, OrderSide.BUY, min(math.floor(mid - half_spread), ask - 1),
            position < self.position_max,
        )
        self.ask = self.quote(
            self.ask, OrderSide.SELL, max(math.ceil(mid + half_spread), bid + 1),
            position > -self.position_max,
        )

    def quote(self, order, side, tick, wants):
        """Keeps the order of a side if it is near enough; returns the one that stands for it."""
        if order is not None and not order.is_closed:
            distance = abs(round(float(order.price) * TICKS) - tick)
            if wants and distance <= self.given['tolerance']:
                return order
            self.cancel_order(order)
        if not wants:
            return None
        price = Price(tick / TICKS, 2)
        order = self.order_factory.limit(
            self.instrument.id, side, self.size, price, post_only=True,
        )
        self.submits += 1
        self.submit_order(order)
        return order

    def on_order_filled(self, _event):
        self.fills += 1


def data_of(folder, instrument):
    deltas = pd.read_parquet(f'{folder}/deltas.parquet')
    deltas['flags'] = int(RecordFlag.F_LAST)
    trades = pd.read_parquet(f'{folder}/trades.parquet')
    for table in (deltas, trades):
        table.index = pd.to_datetime(table['time_us'], unit='us', utc=True)
    return (
        OrderBookDeltaDataWrangler(instrument).process(deltas),
        TradeTickDataWrangler(instrument).process(trades),
    )


def main():
    folder, runs, given = rule()
    config = BacktestEngineConfig(logging=LoggingConfig(log_level='ERROR'))
    engine = BacktestEngine(config=config)
    engine.add_venue(
        VENUE, OmsType.NETTING, AccountType.CASH, [Money(10, BTC), Money(1_000_000, ZAR)],
        book_type=BookType.L3_MBO, queue_position=True,
        latency_model=LatencyModel(given['latencyMs'] * 1_000_000),
    )
    instrument = instrument_of(given)
    engine.add_instrument(instrument)
    for data in data_of(folder, instrument):
        engine.add_data(data)
    strategy = Maker(instrument, given)
    engine.add_strategy(strategy)
    times = []
    for run in range(runs):
        if run > 0:
            engine.reset()
        _, took = timed(engine.run)
        times.append(took)
    report(times, strategy.submits, strategy.fills)


main()
