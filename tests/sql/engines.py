"""Runs queries on a real engine: `engines.py datafusion|spark`, with cases as JSON on standard input.

A case is {"table": statement, "query": statement}. Its result is the list of the first columns of all rows, or
{"error": message}.
"""

import json
import os
import sys


def datafusion():
    from datafusion import SessionContext

    def run(case):
        context = SessionContext()
        context.sql(case["table"]).collect()
        return [batch[0].as_py() for part in context.sql(case["query"]).collect() for batch in zip(part.column(0))]

    return run


def spark():
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("OFF")

    def run(case):
        session.sql(case["table"])
        return [row[0] for row in session.sql(case["query"]).collect()]

    return run


def main():
    run = {"datafusion": datafusion, "spark": spark}[sys.argv[1]]()
    answers = []
    for case in json.load(sys.stdin):
        try:
            answers.append(run(case))
        except Exception as error:  # Engines raise exceptions of many types.
            answers.append({"error": str(error)[:2000]})
    json.dump(answers, sys.stdout)


main()
