"""What the programs of the comparison share: their rule, their clock, and how they report."""
import json
import resource
import sys
import time


def rule():
    """Returns the folder of the data, how often to run, and the rule as a dictionary."""
    folder, runs, text = sys.argv[1:4]
    return folder, int(runs), json.loads(text)


def timed(run):
    """Calls `run`; returns its result and the seconds that it took."""
    start = time.perf_counter()
    result = run()
    return result, time.perf_counter() - start


def report(run_seconds, orders, fills):
    """Prints the last line, which the comparison reads."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    # Linux counts memory in kilobytes, macOS in bytes.
    resident_mb = usage.ru_maxrss / (1024 if sys.platform == 'linux' else 1024 * 1024)
    print(json.dumps({
        'runSeconds': run_seconds,
        'cpuSeconds': usage.ru_utime + usage.ru_stime,
        'orders': orders,
        'fills': fills,
        'residentMb': resident_mb,
    }))
