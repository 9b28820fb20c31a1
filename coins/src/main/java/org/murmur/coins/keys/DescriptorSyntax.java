package org.murmur.coins.keys;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The content of a descriptor, before any key in it is decoded: plain values, cheap to have. */
sealed interface DescriptorSyntax {

  /** Writes it without checksum: hardened steps with {@code h}, hex in lower case. */
  String print();

  /** The key expressions in it, in order. */
  List<KeyPart> keys();

  /** The same with every {@code <a;b>} replaced by its alternative of the given position. */
  DescriptorSyntax alternative(int position);

  /** One key under one of the four single-key scripts. */
  record Single(OutputType type, KeyPart key) implements DescriptorSyntax {
    @Override
    public String print() {
      return type.wrap(key.print());
    }

    @Override
    public List<KeyPart> keys() {
      return List.of(key);
    }

    @Override
    public Single alternative(int position) {
      return new Single(type, key.alternative(position));
    }
  }

  /** {@code wsh(multi(…))} or {@code wsh(sortedmulti(…))}, possibly within {@code sh(…)}. */
  record Multisig(boolean nested, boolean sorted, int threshold, List<KeyPart> keys)
      implements DescriptorSyntax {
    @Override
    public String print() {
      String list = keys.stream().map(KeyPart::print).collect(Collectors.joining(","));
      String wsh =
          String.format("wsh(%s(%d,%s))", sorted ? "sortedmulti" : "multi", threshold, list);
      return nested ? "sh(" + wsh + ")" : wsh;
    }

    @Override
    public Multisig alternative(int position) {
      return new Multisig(
          nested,
          sorted,
          threshold,
          keys.stream().map(k -> k.alternative(position)).collect(Collectors.toList()));
    }
  }

  /** {@code addr(…)}. */
  record Address(String text) implements DescriptorSyntax {
    @Override
    public String print() {
      return "addr(" + text + ")";
    }

    @Override
    public List<KeyPart> keys() {
      return List.of();
    }

    @Override
    public Address alternative(int position) {
      return this;
    }
  }

  /** The origin of a key: the master key's fingerprint and the steps from there. */
  record Origin(String fingerprint, List<Integer> path) {
    String print() {
      return "[" + fingerprint + steps(path) + "]";
    }

    static String steps(List<Integer> path) {
      return path.stream().map(Origin::step).collect(Collectors.joining());
    }

    private static String step(int number) {
      return "/" + (number & ~ExtendedKey.HARDENED) + (number < 0 ? "h" : "");
    }
  }

  /**
   * A key expression.
   *
   * @param origin its origin, if given
   * @param text the extended key, or a public key in lower-case hex
   * @param extended whether it is an extended key
   * @param steps the unhardened steps after it; a step of several numbers is {@code <a;b>}
   * @param wildcard whether {@code /*} follows
   */
  record KeyPart(
      @Nullable Origin origin,
      String text,
      boolean extended,
      List<List<Integer>> steps,
      boolean wildcard) {

    String print() {
      StringBuilder printed = new StringBuilder(origin == null ? "" : origin.print());
      printed.append(text);
      for (List<Integer> step : steps) {
        String numbers = step.stream().map(String::valueOf).collect(Collectors.joining(";"));
        printed.append('/').append(step.size() > 1 ? "<" + numbers + ">" : numbers);
      }
      return printed.append(wildcard ? "/*" : "").toString();
    }

    int alternatives() {
      return steps.stream().mapToInt(List::size).max().orElse(1);
    }

    KeyPart alternative(int position) {
      List<List<Integer>> chosen =
          steps.stream()
              .map(s -> s.size() > 1 ? List.of(s.get(position)) : s)
              .collect(Collectors.toList());
      return new KeyPart(origin, text, extended, chosen, wildcard);
    }

    /** The steps when there is no choice among them. */
    List<Integer> path() {
      return steps.stream().map(step -> step.get(0)).collect(Collectors.toList());
    }
  }
}
