"""Whether a trace shows a collective beside compute of the same rank: prints the longest such time, or exits with 1.

    find_overlap.py TRACE.json
"""

import collections
import json
import sys


def main():
    with open(sys.argv[1]) as file:
        events = [event for event in json.load(file)["traceEvents"] if event["ph"] == "X"]
    kernels, collectives = collections.defaultdict(list), collections.defaultdict(list)
    for event in events:
        if event["cat"] == "kernel":
            kernels[event["pid"]].append(event)
        elif event["cat"] == "collective":
            collectives[event["pid"]].append(event)
    if not kernels or not collectives:
        sys.exit("the trace has no kernels or no collectives")
    best = None
    for rank, moved in collectives.items():
        for collective in moved:
            for kernel in kernels[rank]:
                # What one device does alone runs on the stream of the kernels.
                if kernel["tid"] == collective["tid"]:
                    continue
                begin = max(collective["ts"], kernel["ts"])
                end = min(collective["ts"] + collective["dur"], kernel["ts"] + kernel["dur"])
                if end > begin and (best is None or end - begin > best[0]):
                    best = (end - begin, rank, collective, kernel)
    if best is None:
        print("no collective ran beside compute of its rank, of", sum(map(len, collectives.values())))
        return 1
    microseconds, rank, collective, kernel = best
    print(f"rank {rank}: {collective['name']} runs {microseconds:.1f} us beside {kernel['name']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
