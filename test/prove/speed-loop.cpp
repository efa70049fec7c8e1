// The speed proof's measure: the same book, queue places, own orders, fees and quotes as the engine's,
// in one C++ loop over the same columns in memory. Prices outside its window stand in a map.
//
//     speed-loop COLUMNS ROUNDS [ROWS]     one line of sums, then one line of CPU seconds a round
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <vector>

using i32 = int32_t;
using i64 = int64_t;
using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using i128 = __int128;

enum { createKind = 0, deleteKind = 1, tradeKind = 2 };
constexpr u8 askFlag = 8, endFlag = 16;
constexpr int windowBits = 18;
constexpr u32 window = 1u << windowBits;
constexpr int middle = 1900000;
constexpr i64 quoteVolume = 10000, positionMax = 100000, positionHard = 60000;
constexpr int quoteDistance = 5, quoteEvery = 64, takeReach = 1000;
constexpr i64 makerRate = 200000000, takerRate = 1000000000;  // of 10^12

struct Columns {
  u64 rows, messages;
  const u8 *meta;
  const u16 *slots, *deltas;
  const i32 *prices, *volumes;
};

struct Order {
  u32 next, previous, level, arrival;
  i64 volume, consumed;
};
struct Level {
  u32 first, last, own, pad;
  i64 volume;
  i64 price;
};
struct OwnOrder {
  int price;
  u32 arrival;
  i64 left, ahead;
  int quote;
};

// 18 bits of places as three words deep a bitmap.
struct Places {
  u64 low[window >> 6] = {}, mid[window >> 12] = {}, top[1] = {};
  void add(u32 at) {
    low[at >> 6] |= 1ull << (at & 63);
    mid[at >> 12] |= 1ull << ((at >> 6) & 63);
    top[0] |= 1ull << (at >> 12);
  }
  void remove(u32 at) {
    if ((low[at >> 6] &= ~(1ull << (at & 63))) == 0)
      if ((mid[at >> 12] &= ~(1ull << ((at >> 6) & 63))) == 0) top[0] &= ~(1ull << (at >> 12));
  }
  // The nearest place at or above `at`, or -1.
  i64 from(i64 at) const {
    if (at >= window) return -1;
    u32 a = at >> 6;
    if (u64 w = low[a] >> (at & 63)) return at + __builtin_ctzll(w);
    u32 b = (++a) >> 6;
    if (a >= window >> 6) return -1;
    if (u64 w = mid[b] >> (a & 63)) {
      a += __builtin_ctzll(w);
      return ((i64)a << 6) + __builtin_ctzll(low[a]);
    }
    if (++b >= window >> 12) return -1;
    u64 w = top[0] >> b;
    if (w == 0) return -1;
    b += __builtin_ctzll(w);
    a = (b << 6) + __builtin_ctzll(mid[b]);
    return ((i64)a << 6) + __builtin_ctzll(low[a]);
  }
};

// One side by key: the price for asks, the negated price for bids, so that the least key is best.
struct Side {
  Places places;
  i64 start;
  std::map<i64, u32> far;
  i64 bestKey = INT64_MAX;
  u32 bestLevel = 0;
  u32 *levels;
};

struct Engine {
  std::vector<Order> orders;
  std::vector<Level> pool;
  std::vector<u32> freeLevels;
  Side *sides[2];
  std::vector<OwnOrder> own[2];
  bool isQuoted[4] = {};
  u32 nextArrival = 1, tops = 0;
  int untilQuote = quoteEvery;
  i64 messages = 0, makerFills = 0, takerFills = 0, position = 0, aheadSum = 0, micros = 0;
  i128 cash = 0, feeBase = 0, feeCounter = 0;

  Engine() : orders(65536), pool(1) {
    pool.reserve(1 << 18);
    for (int s = 0; s < 2; s++) {
      sides[s] = new Side();
      sides[s]->levels = (u32 *)calloc(window, 4);
      sides[s]->start = (s ? middle : -middle) - (i64)window / 2;
    }
  }
  ~Engine() {
    for (Side *side : sides) {
      free(side->levels);
      delete side;
    }
  }

  static i64 keyOf(int s, i64 price) { return s ? price : -price; }

  u32 levelAt(int s, i64 key) const {
    u64 at = key - sides[s]->start;
    if (__builtin_expect(at < window, 1)) return sides[s]->levels[at];
    auto found = sides[s]->far.find(key);
    return found == sides[s]->far.end() ? 0 : found->second;
  }

  i64 keyAfter(int s, i64 key) const {
    const Side &side = *sides[s];
    i64 at = std::max<i64>(0, key + 1 - side.start);
    i64 near = side.places.from(at);
    i64 best = near < 0 ? INT64_MAX : side.start + near;
    if (!side.far.empty()) {
      auto found = side.far.upper_bound(key);
      if (found != side.far.end() && found->first < best) best = found->first;
    }
    return best;
  }

  u32 makeLevel(int s, i64 price) {
    Side &side = *sides[s];
    u32 level;
    if (freeLevels.empty()) {
      level = pool.size();
      pool.emplace_back();
    } else {
      level = freeLevels.back();
      freeLevels.pop_back();
    }
    u32 watching = 0;
    for (const OwnOrder &order : own[s]) watching += order.price == price;
    pool[level] = Level{0, 0, watching, 0, 0, price};
    i64 key = keyOf(s, price);
    u64 at = key - side.start;
    if (at < window) {
      side.levels[at] = level;
      side.places.add(at);
    } else {
      side.far[key] = level;
    }
    if (key < side.bestKey) {
      side.bestKey = key;
      side.bestLevel = level;
    }
    return level;
  }

  void dropLevel(int s, u32 level) {
    Side &side = *sides[s];
    i64 key = keyOf(s, pool[level].price);
    u64 at = key - side.start;
    if (at < window) {
      side.levels[at] = 0;
      side.places.remove(at);
    } else {
      side.far.erase(key);
    }
    freeLevels.push_back(level);
    if (key != side.bestKey) return;
    side.bestKey = keyAfter(s, key);
    side.bestLevel = side.bestKey == INT64_MAX ? 0 : levelAt(s, side.bestKey);
  }

  void unlink(int s, u32 slot, u32 level) {
    Order &order = orders[slot];
    Level &of = pool[level];
    if (order.previous) orders[order.previous].next = order.next;
    else of.first = order.next;
    if (order.next) orders[order.next].previous = order.previous;
    else of.last = order.previous;
    order.level = 0;
    order.consumed = 0;
    if (of.first == 0) dropLevel(s, level);
  }

  void charge(int s, i64 price, i64 volume, i64 rate) {
    constexpr i64 ten10 = 10000000000ll;
    if (s == 0) feeBase += ((i128)volume * rate + ten10 / 2) / ten10;
    else feeCounter += ((i128)price * volume * rate + ten10 / 2) / ten10;
    i128 value = (i128)price * volume;
    position += s ? -volume : volume;
    cash += s ? value : -value;
  }

  void watch(int s, i64 price, int by) {
    u32 level = levelAt(s, keyOf(s, price));
    if (level) pool[level].own += by;
  }

  __attribute__((noinline)) void fillMaker(int s, i64 volume) {
    OwnOrder &order = own[s].front();
    makerFills++;
    aheadSum += order.ahead;
    order.left -= volume;
    charge(s, order.price, volume, makerRate);
    if (order.left > 0) return;
    isQuoted[order.quote] = false;
    i64 price = order.price;
    own[s].erase(own[s].begin());
    watch(s, price, -1);
  }

  // An order of history that meets ours.
  __attribute__((noinline)) void meet(int s, i64 price, u32 slot, i64 volume) {
    int o = 1 - s;
    for (i64 left = volume; left > 0 && !own[o].empty();) {
      OwnOrder &order = own[o].front();
      if (s ? price > order.price : price < order.price) return;
      i64 taken = std::min(left, order.left);
      left -= taken;
      orders[slot].consumed += taken;
      fillMaker(o, taken);
    }
  }

  __attribute__((noinline)) void moveUp(int s, i64 price, u32 arrival, i64 volume) {
    for (OwnOrder &order : own[s])
      if (order.price == price && arrival < order.arrival) order.ahead -= volume;
  }

  __attribute__((noinline)) void share(int s, i64 price, u32 arrival, i64 volume) {
    for (i64 left = volume; left > 0 && !own[s].empty();) {
      OwnOrder &order = own[s].front();
      bool through = s ? order.price < price : order.price > price;
      if (!through && !(order.price == price && order.arrival <= arrival)) return;
      i64 taken = std::min(left, order.left);
      left -= taken;
      fillMaker(s, taken);
    }
  }

  void place(int s, int price, int quote) {
    u32 level = levelAt(s, keyOf(s, price));
    OwnOrder order{price, nextArrival, quoteVolume, level ? pool[level].volume : 0, quote};
    auto at = std::find_if(own[s].begin(), own[s].end(), [&](const OwnOrder &other) {
      return s ? price < other.price : price > other.price;
    });
    own[s].insert(at, order);
    isQuoted[quote] = true;
    watch(s, price, 1);
  }

  void take(int s, i64 limit, i64 left) {
    int o = 1 - s;
    for (i64 key = sides[o]->bestKey; key != INT64_MAX && left > 0; key = keyAfter(o, key)) {
      i64 price = keyOf(o, key);
      if (s ? price < limit : price > limit) return;
      u32 level = levelAt(o, key);
      for (u32 slot = pool[level].first; slot && left > 0; slot = orders[slot].next) {
        Order &order = orders[slot];
        i64 taken = std::min(left, std::max<i64>(0, order.volume - order.consumed));
        if (taken == 0) continue;
        order.consumed += taken;
        left -= taken;
        takerFills++;
        charge(s, price, taken, takerRate);
      }
    }
  }

  __attribute__((noinline)) void quote(int bid, int ask) {
    bool isFar = std::abs(position) > positionHard;
    int wanted[4] = {bid, bid - quoteDistance, ask, ask + quoteDistance};
    for (int s = 0; s < 2; s++)
      for (size_t at = 0; at < own[s].size();) {
        OwnOrder order = own[s][at];
        if (!isFar && order.price == wanted[order.quote] && order.left == quoteVolume) {
          at++;
          continue;
        }
        own[s].erase(own[s].begin() + at);
        isQuoted[order.quote] = false;
        watch(s, order.price, -1);
      }
    if (position > positionHard) take(1, bid - takeReach, position);
    else if (position < -positionHard) take(0, ask + takeReach, -position);
    for (int index = 0; index < 4; index++) {
      if (isQuoted[index]) continue;
      int s = index >> 1;
      if (s ? position <= -positionMax : position >= positionMax) continue;
      place(s, wanted[index], index);
    }
  }

  inline void onMessage() {
    const Side &bids = *sides[0], &asks = *sides[1];
    u32 bid = bids.bestLevel ? (u32)-bids.bestKey : 0, ask = asks.bestLevel ? (u32)asks.bestKey : 0;
    u32 volumes = 5 * (u32)pool[bids.bestLevel].volume + 7 * (u32)pool[asks.bestLevel].volume;
    tops = tops * 31 + bid + 3 * ask + volumes;
    messages++;
    if (__builtin_expect(--untilQuote > 0, 1)) return;
    untilQuote = quoteEvery;
    if (bid && ask) quote(bid, ask);
  }

  void run(const Columns &c) {
    const i32 *price = c.prices, *volume = c.volumes;
    for (u64 row = 0; row < c.rows; row++) {
      u8 meta = c.meta[row];
      u32 slot = c.slots[row];
      micros += c.deltas[row];
      int kind = meta & 7;
      Order &order = orders[slot];
      if (kind == createKind) {
        int s = (meta & askFlag) ? 1 : 0;
        i64 at = *price++, lots = *volume++;
        u32 level = levelAt(s, keyOf(s, at));
        if (level == 0) level = makeLevel(s, at);
        Level &of = pool[level];
        order = Order{0, of.last, level, nextArrival++, lots, 0};
        if (of.last) orders[of.last].next = slot;
        else of.first = slot;
        of.last = slot;
        of.volume += lots;
        if (__builtin_expect(!own[1 - s].empty(), 1)) {
          int best = own[1 - s].front().price;
          if (__builtin_expect(s ? at <= best : at >= best, 0)) meet(s, at, slot, lots);
        }
      } else {
        u32 level = order.level;
        Level &of = pool[level];
        int s = (meta & askFlag) ? 1 : 0;
        if (kind == deleteKind) {
          if (__builtin_expect(of.own != 0, 0)) moveUp(s, of.price, order.arrival, order.volume);
          of.volume -= order.volume;
          unlink(s, slot, level);
        } else {
          i64 lots = *volume++, at = of.price;
          u32 arrival = order.arrival;
          if (__builtin_expect(of.own != 0, 0)) moveUp(s, at, arrival, lots);
          order.volume -= lots;
          of.volume -= lots;
          if (order.volume == 0) unlink(s, slot, level);
          if (!own[s].empty()) share(s, at, arrival, lots);
        }
      }
      if (meta & endFlag) onMessage();
    }
  }
};

static void print(const char *name, i128 value) {
  char text[48];
  int at = 47;
  text[at] = 0;
  bool isNegative = value < 0;
  if (isNegative) value = -value;
  do text[--at] = '0' + (int)(value % 10);
  while (value /= 10);
  printf("\"%s\":\"%s%s\"", name, isNegative ? "-" : "", text + at);
}

static double cpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(int count, char **words) {
  if (count < 3) return 2;
  FILE *file = fopen(words[1], "rb");
  if (!file) return 1;
  fseek(file, 0, SEEK_END);
  size_t size = ftell(file);
  rewind(file);
  char *bytes = (char *)malloc(size + 64);
  if (fread(bytes, 1, size, file) != size) return 1;
  fclose(file);
  const u64 *head = (const u64 *)bytes;
  Columns columns{head[0], head[1], nullptr, nullptr, nullptr, nullptr, nullptr};
  size_t at = 32;
  auto column = [&](size_t length) {
    char *start = bytes + at;
    at += (length + 7) / 8 * 8;
    return start;
  };
  columns.meta = (const u8 *)column(head[0]);
  columns.slots = (const u16 *)column(head[0] * 2);
  columns.deltas = (const u16 *)column(head[0] * 2);
  columns.prices = (const i32 *)column(head[2] * 4);
  columns.volumes = (const i32 *)column(head[3] * 4);
  // Part of the rows, for a comparison of sums with somebody slow.
  if (count > 3) columns.rows = std::min<u64>(columns.rows, strtoull(words[3], nullptr, 10));
  for (int round = 0; round < atoi(words[2]); round++) {
    Engine *engine = new Engine();
    double before = cpuSeconds();
    engine->run(columns);
    double seconds = cpuSeconds() - before;
    if (round == 0) {
      printf("{\"messages\":%lld,\"tops\":%u,\"makerFills\":%lld,\"takerFills\":%lld,"
             "\"position\":%lld,\"ahead\":%lld,",
             (long long)engine->messages, engine->tops, (long long)engine->makerFills,
             (long long)engine->takerFills, (long long)engine->position,
             (long long)engine->aheadSum);
      print("cash", engine->cash);
      printf(",");
      print("feeBase", engine->feeBase);
      printf(",");
      print("feeCounter", engine->feeCounter);
      printf("}\n");
    }
    // The time that the columns tell must be used, or the compiler would leave it out.
    fprintf(stderr, "%lld\n", (long long)engine->micros);
    printf("%.6f\n", seconds);
    delete engine;
  }
}
