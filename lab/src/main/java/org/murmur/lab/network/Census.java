package org.murmur.lab.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.murmur.lab.network.NodeRecord.Answer;
import org.murmur.lab.network.NodeRecord.Greeting;
import org.murmur.lab.network.NodeRecord.Outcome;

/** Counts of the records of a survey. Those of version messages are of the nodes reached. */
public final class Census {

  /** Heights so near to the median are those of nodes at the tip. */
  public static final int NEAR = 2;

  /** Fewer nodes than this could be told apart by what they have in common. */
  public static final int SHARED_BY = 2;

  /** Stands for all names that fewer than {@link #SHARED_BY} nodes have. */
  public static final String OTHER = "other";

  private final List<NodeRecord> records;
  private final List<Greeting> greetings;

  public Census(Collection<NodeRecord> records) {
    this.records = List.copyOf(records);
    this.greetings = records.stream().flatMap(one -> one.reachedGreeting().stream()).toList();
  }

  public int called() {
    return records.size();
  }

  public int reached() {
    return greetings.size();
  }

  /** Returns how many nodes ended in each way, in the order of the ways; none that is 0. */
  public Map<Outcome, Integer> outcomes() {
    Map<Outcome, Integer> counts = new TreeMap<>();
    records.forEach(one -> counts.merge(one.outcome(), 1, Integer::sum));
    return counts;
  }

  /** Returns how many nodes have each service bit, the most frequent first. */
  public Map<String, Integer> services() {
    return counted(greetings.stream().flatMap(greeting -> greeting.serviceNames().stream()));
  }

  public Map<String, Integer> userAgents() {
    return counted(greetings.stream().map(Greeting::userAgent));
  }

  public Map<String, Integer> protocols() {
    return counted(greetings.stream().map(greeting -> Integer.toString(greeting.protocol())));
  }

  /** Returns how many nodes gave each answer to the requests for a filtered block; zeros, too. */
  public Map<Answer, Integer> bloom() {
    return answers(NodeRecord::bloom);
  }

  /** Returns how many nodes gave each answer to the requests for a filter; zeros, too. */
  public Map<Answer, Integer> compactFilters() {
    return answers(NodeRecord::compactFilters);
  }

  private Map<Answer, Integer> answers(Function<NodeRecord, Answer> which) {
    Map<Answer, Integer> counts = new TreeMap<>();
    Arrays.stream(Answer.values()).forEach(answer -> counts.put(answer, 0));
    records.stream()
        .filter(NodeRecord::isReached)
        .forEach(one -> counts.merge(which.apply(one), 1, Integer::sum));
    return counts;
  }

  /** Returns how many nodes claim a service, whatever they answered. */
  public static int claimed(Map<Answer, Integer> answers) {
    return answers.entrySet().stream()
        .filter(each -> each.getKey().isClaimed())
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** Returns how many of the nodes reached are in each network group, the largest first. */
  public Map<String, Integer> groups() {
    return counted(records.stream().filter(NodeRecord::isReached).map(one -> one.group().name()));
  }

  /** Returns how many groups have how many of the nodes reached, by the number of nodes. */
  public Map<String, Integer> groupSizes() {
    Map<Integer, Integer> sizes = new TreeMap<>();
    groups().values().forEach(size -> sizes.merge(size, 1, Integer::sum));
    Map<String, Integer> named = new LinkedHashMap<>();
    sizes.forEach((size, groups) -> named.put(Integer.toString(size), groups));
    return named;
  }

  /** Returns the median of the heights that nodes report; empty without nodes. */
  public OptionalLong medianHeight() {
    return median(greetings.stream().map(greeting -> (long) greeting.startHeight()));
  }

  /** Returns how many nodes report a height near the median. */
  public long nearMedian() {
    long middle = medianHeight().orElse(0);
    return greetings.stream().filter(each -> Math.abs(each.startHeight() - middle) <= NEAR).count();
  }

  /** Returns the median time to the version message in microseconds; empty without nodes. */
  public OptionalLong versionMicros() {
    return median(greetings.stream().map(Greeting::micros));
  }

  /** Returns the median time of a ping in microseconds; empty without pongs. */
  public OptionalLong pingMicros() {
    return median(
        records.stream()
            .filter(one -> one.pingMicros() != null)
            .map(one -> Objects.requireNonNull(one.pingMicros())));
  }

  private static OptionalLong median(Stream<Long> values) {
    List<Long> sorted = values.sorted().toList();
    return sorted.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(sorted.get((sorted.size() - 1) / 2));
  }

  private static Map<String, Integer> counted(Stream<String> names) {
    Map<String, Integer> counts = new TreeMap<>();
    names.forEach(name -> counts.merge(name, 1, Integer::sum));
    List<Map.Entry<String, Integer>> sorted = new ArrayList<>(counts.entrySet());
    sorted.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
    Map<String, Integer> result = new LinkedHashMap<>();
    sorted.forEach(each -> result.put(each.getKey(), each.getValue()));
    return result;
  }

  /**
   * Returns counts without the names that only one node has, and those that contain the address of
   * a node: a user agent can say anything. They count as {@link #OTHER}.
   */
  public Map<String, Integer> shareable(Map<String, Integer> counts) {
    Map<String, Integer> kept = new LinkedHashMap<>();
    counts.forEach(
        (name, count) -> {
          boolean telling = count < SHARED_BY || name.equals(OTHER) || namesANode(name);
          kept.merge(telling ? OTHER : name, count, Integer::sum);
        });
    return kept;
  }

  private boolean namesANode(String text) {
    return records.stream().anyMatch(one -> text.contains(one.address().host()));
  }
}
