package org.murmur.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bitcoinj.core.VersionMessage;

/** Facts of the machine that a reader needs to understand the figures. */
final class MachineFacts {

  private MachineFacts() {}

  static ObjectNode json() {
    return Bench.JSON
        .createObjectNode()
        .put("cores", Runtime.getRuntime().availableProcessors())
        .put("cpu", field("/proc/cpuinfo", "model name"))
        .put("memory", field("/proc/meminfo", "MemTotal"))
        .put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"))
        .put("java", System.getProperty("java.vm.name") + " " + Runtime.version())
        .put("bitcoinj", VersionMessage.BITCOINJ_VERSION)
        .put("node", node())
        .put("commit", commit())
        .put("load_before", load());
  }

  /** The load average of the last minute. */
  static String load() {
    return Bench.text("%.2f", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private static String field(String file, String name) {
    try {
      for (String line : Files.readAllLines(Path.of(file), StandardCharsets.UTF_8)) {
        if (line.startsWith(name)) {
          return line.substring(line.indexOf(':') + 1).trim();
        }
      }
    } catch (IOException e) {
      return "unknown";
    }
    return "unknown";
  }

  private static String node() {
    return firstLine(System.getenv().getOrDefault("MURMUR_BITCOIND", "bitcoind"), "-version");
  }

  private static String commit() {
    return firstLine("git", "-C", MurmurCommand.root().toString(), "rev-parse", "--short", "HEAD");
  }

  private static String firstLine(String... command) {
    try {
      return Launch.run(java.util.List.of(command), java.util.Map.of())
          .output()
          .lines()
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
