package org.murmur.bench.micro;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the micro benchmarks and prints for each library: the median over all iterations of all
 * processes, its ratio to Murmur's, and the bytes allocated per operation.
 *
 * <pre>
 * java -cp … org.murmur.bench.micro.Micro [PATTERN] [options of JMH]
 * </pre>
 */
public final class Micro {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The subject that the others are compared with. */
  private static final String SUBJECT = "murmur";

  /** Several processes, since the machine drifts between them. */
  private static final int PROCESSES = 5;

  private static final int ITERATIONS = 5;

  private Micro() {}

  /**
   * Runs the benchmarks.
   *
   * @param arguments a regular expression for the benchmarks' names, and options of JMH
   */
  public static void main(String[] arguments) throws Exception {
    CommandLineOptions said = new CommandLineOptions(arguments);
    OptionsBuilder options = new OptionsBuilder();
    options.parent(said);
    options
        .forks(said.getForkCount().orElse(PROCESSES))
        .warmupIterations(said.getWarmupIterations().orElse(ITERATIONS))
        .measurementIterations(said.getMeasurementIterations().orElse(ITERATIONS))
        .warmupTime(said.getWarmupTime().orElse(TimeValue.milliseconds(400)))
        .measurementTime(said.getMeasurementTime().orElse(TimeValue.milliseconds(400)))
        .jvmArgsAppend("-Xmx512m")
        .addProfiler(GCProfiler.class);
    Map<String, Map<String, Measured>> table = new LinkedHashMap<>();
    // JMH's own output goes to stderr, so that stdout is JSON.
    OutputFormat words = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.NORMAL);
    for (RunResult result : new Runner(options.build(), words).run()) {
      BenchmarkParams params = result.getParams();
      String name = params.getBenchmark();
      String who = name.substring(name.lastIndexOf('.') + 1);
      table
          .computeIfAbsent(work(params), unused -> new LinkedHashMap<>())
          .put(who, Measured.of(result));
    }
    print(table);
  }

  private static String work(BenchmarkParams params) {
    String name = params.getBenchmark();
    String type = name.substring(0, name.lastIndexOf('.'));
    StringBuilder work = new StringBuilder(type.substring(type.lastIndexOf('.') + 1));
    for (String key : params.getParamsKeys()) {
      work.append(' ').append(params.getParam(key));
    }
    return work.toString();
  }

  private static void print(Map<String, Map<String, Measured>> table) throws Exception {
    ObjectNode json = JSON.createObjectNode();
    System.err.printf(
        Locale.ROOT, "%n%-28s %-18s %12s %8s %10s%n", "work", "who", "median", "ratio", "B/op");
    table.forEach(
        (work, contenders) -> {
          Measured subject = contenders.get(SUBJECT);
          ObjectNode row = json.putObject(work);
          contenders.forEach(
              (who, measured) -> {
                double ratio = subject == null ? Double.NaN : measured.median() / subject.median();
                System.err.printf(
                    Locale.ROOT,
                    "%-28s %-18s %9.1f %s %7.2fx %10.1f%n",
                    work,
                    who,
                    measured.median(),
                    measured.unit(),
                    ratio,
                    measured.allocated());
                ObjectNode cell = row.putObject(who);
                cell.put("median", measured.median());
                cell.put("unit", measured.unit());
                cell.put("ratio", ratio);
                cell.put("bytes_per_operation", measured.allocated());
              });
        });
    System.out.println(JSON.writeValueAsString(json));
  }

  /** The median time, its unit, and the bytes allocated per operation. */
  private record Measured(double median, String unit, double allocated) {

    static Measured of(RunResult run) {
      double[] times =
          run.getBenchmarkResults().stream()
              .flatMap(one -> one.getIterationResults().stream())
              .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
              .sorted()
              .toArray();
      Result<?> allocated = run.getSecondaryResults().get("gc.alloc.rate.norm");
      return new Measured(
          times[times.length / 2],
          run.getPrimaryResult().getScoreUnit(),
          allocated == null ? Double.NaN : allocated.getScore());
    }
  }
}
