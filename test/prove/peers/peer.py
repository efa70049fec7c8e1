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
    """Calls `run`; returns its result, and the seconds and the processor time that it took."""
    start, start_cpu = time.perf_counter(), time.process_time()
    result = run()
    return result, (time.perf_counter() - start, time.process_time() - start_cpu)


def report(times, orders, fills):
    """Prints the last line, which the comparison reads."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    # Linux counts memory in kilobytes, macOS in bytes.
    resident_mb = usage.ru_maxrss / (1024 if sys.platform == 'linux' else 1024 * 1024)
    print(json.dumps({
        'runSeconds': [wall for wall, _ in times],
        'runCpuSeconds': [cpu for _, cpu in times],
        'cpuSeconds': usage.ru_utime + usage.ru_stime,
        'orders': orders,
        'fills': fills,
        'residentMb': resident_mb,
    }))
