"""The maker in hftbacktest: maker_hftbacktest.py FOLDER RUNS RULE, and in RULE the variant.

`depth` is `hash` or `vector`, the two books that it has; `level` is 3 for order by order with its
exact queue, 2 for volumes by price with an estimated one.
"""
import numpy as np
from numba import njit

from hftbacktest import (
    BacktestAsset, GTX, HashMapMarketDepthBacktest, LIMIT, ROIVectorMarketDepthBacktest,
)
from peer import report, rule, timed

TICK = 0.01
LOT = 0.000001


@njit
def is_kept(orders, order_id, price_tick, tolerance):
    order = orders.get(order_id)
    if order is None or not order.cancellable:
        return False
    return abs(order.price_tick - price_tick) <= tolerance


@njit
def withdraw(hbt, orders, order_id):
    order = orders.get(order_id)
    if order is not None and order.cancellable:
        hbt.cancel(0, order_id, False)


@njit
def make(hbt, half_spread, tolerance, size, position_max, refresh_ns):
    last_id = 2
    bid_id = 1
    ask_id = 2
    submits = 0
    while hbt.elapse(refresh_ns) == 0:
        hbt.clear_inactive_orders(0)
        depth = hbt.depth(0)
        orders = hbt.orders(0)
        bid_tick = depth.best_bid_tick
        ask_tick = depth.best_ask_tick
        mid = (bid_tick + ask_tick) / 2
        position = hbt.position(0)

        price_tick = min(int(np.floor(mid - half_spread)), ask_tick - 1)
        wants = position < position_max - LOT / 2
        if not wants or not is_kept(orders, bid_id, price_tick, tolerance):
            withdraw(hbt, orders, bid_id)
            if wants:
                last_id += 1
                bid_id = last_id
                submits += 1
                hbt.submit_buy_order(0, bid_id, price_tick * TICK, size, GTX, LIMIT, False)

        price_tick = max(int(np.ceil(mid + half_spread)), bid_tick + 1)
        wants = position > -position_max + LOT / 2
        if not wants or not is_kept(orders, ask_id, price_tick, tolerance):
            withdraw(hbt, orders, ask_id)
            if wants:
                last_id += 1
                ask_id = last_id
                submits += 1
                hbt.submit_sell_order(0, ask_id, price_tick * TICK, size, GTX, LIMIT, False)
    return submits


def backtest_of(data, given):
    latency_ns = given['latencyMs'] * 1_000_000
    asset = (
        BacktestAsset()
        .data(data)
        .linear_asset(1.0)
        .constant_order_latency(latency_ns, latency_ns)
        .trading_value_fee_model(given['makerFeeBps'] / 1e4, given['takerFeeBps'] / 1e4)
        .tick_size(TICK)
        .lot_size(LOT)
    )
    if given['level'] == 3:
        asset = asset.l3_fifo_queue_model().no_partial_fill_exchange()
    else:
        asset = asset.log_prob_queue_model2().no_partial_fill_exchange()
    if given['depth'] == 'hash':
        return HashMapMarketDepthBacktest([asset])
    # Prices of the flow stay far inside of this; a few absurd orders lie outside and are ignored.
    return ROIVectorMarketDepthBacktest([asset.roi_lb(18_000.0).roi_ub(20_000.0)])


def main():
    folder, runs, given = rule()
    data = np.load(f"{folder}/level{given['level']}.npz")['data']
    times = []
    for _ in range(runs):

        def run():
            hbt = backtest_of(data, given)
            submits = make(
                hbt, given['halfSpread'], given['tolerance'], float(given['size']),
                float(given['positionMax']), given['refreshSeconds'] * 1_000_000_000,
            )
            fills = hbt.state_values(0).num_trades
            hbt.close()
            return submits, fills

        (submits, fills), took = timed(run)
        times.append(took)
    report(times, submits, fills)


main()
