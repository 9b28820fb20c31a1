package org.murmur.cli.filter;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.FilterSizing;
import org.murmur.bip37.FilterTheory;
import org.murmur.bip37.Rounding;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.bytes.ByteReader;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.MalformedException;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.privacy.Fingerprint;
import org.murmur.bip37.privacy.LoadEstimate;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code murmur filter}: the calculator. Needs neither wallet nor network. */
@Command(
    name = "filter",
    description = "Calculate with Bloom filters: make, size, decode, test, match.",
    subcommands = {
      FilterMake.class,
      FilterCommands.Size.class,
      FilterCommands.Decode.class,
      FilterCommands.Test.class,
      FilterCommands.Match.class
    },
    footer = {
      "",
      "Examples:",
      "  murmur filter make tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx --fp 1e-6",
      "  murmur filter size --elements 2000 --fp 1e-9",
      "  murmur filter decode 03614e9b050000000000000001",
      "  murmur filter test 03614e9b050000000000000001 99108ad8ed9bb6274d3980bab5a85c048f0950c8"
    })
public final class FilterCommands extends Action {

  @Override
  protected ExitCode run() {
    throw Failure.usage("filter needs one of: make, size, decode, test, match");
  }

  /** Whose number of hash functions to take. */
  static Rounding rounding(String name) {
    return switch (name) {
      case "core" -> Rounding.CORE;
      case "bitcoinj" -> Rounding.BITCOINJ;
      default -> throw Failure.usage("--rounding '" + name + "', expected core or bitcoinj");
    };
  }

  private static BloomFilter decode(String text, Surroundings surroundings) {
    Bytes payload = Inputs.hexOrStdin("the filterload payload", text, surroundings);
    try {
      return BloomFilter.fromPayload(payload);
    } catch (MalformedException e) {
      throw new Failure(
          ExitCode.FAILED, "malformed", "no filterload payload: " + Failures.message(e), e);
    }
  }

  /** {@code murmur filter size}. */
  @Command(
      name = "size",
      description = "The size that a number of elements and a false-positive rate ask for.",
      footer = {
        "",
        "The numbers are those of BIP-0037; expected_fp is the classic formula's rate when full.",
        "Sizes are never cut silently: what BIP37 cannot carry is shown with bip37 = no, and only",
        "--bip37 cuts it to 36,000 bytes and 50 functions.",
        "",
        "Examples:",
        "  murmur filter size --elements 2000 --fp 1e-9",
        "  murmur filter size --elements 1e10 --fp 1e-4    # far beyond BIP37",
        "  murmur filter size --elements 1000000 --fp 0.001 --bip37 --json"
      })
  static final class Size extends Action {

    @Option(
        names = {"-n", "--elements"},
        required = true,
        paramLabel = "N",
        description = "How many elements the filter is to hold.")
    private long elements;

    @Option(
        names = {"-p", "--fp"},
        required = true,
        paramLabel = "P",
        description = "False-positive rate, between 0 and 1.")
    private double rate;

    @Option(names = "--bip37", description = "Cut to what BIP37 can carry.")
    private boolean bip37;

    @Option(
        names = "--rounding",
        paramLabel = "HOW",
        description = "core (default) or bitcoinj: they round the number of functions differently.")
    private String rounding = "core";

    @Override
    protected ExitCode run() {
      Rounding how = rounding(rounding);
      FilterSizing wanted;
      try {
        wanted = FilterSizing.of(elements, rate, how);
      } catch (IllegalArgumentException e) {
        throw Failure.usage(
            Failures.message(e).replace("elements ", "--elements ").replace("rate ", "--fp "));
      }
      boolean capped = bip37 && !wanted.fitsBip37();
      long bytes = wanted.bytes();
      int functions = wanted.hashFunctions();
      if (capped) {
        FilterParameters cut =
            FilterParameters.of(elements, rate, 0, org.murmur.bip37.UpdateFlag.NONE, how);
        bytes = cut.bytes();
        functions = cut.hashFunctions();
      }
      print(bytes, functions, wanted.fitsBip37(), capped);
      return ExitCode.DONE;
    }

    private void print(long bytes, int functions, boolean fits, boolean capped) {
      double expected = FilterTheory.classicRate(8 * bytes, functions, (double) elements);
      JsonObject json =
          new JsonObject()
              .put("elements", elements)
              .put("fp", rate)
              .put("bits", 8 * bytes)
              .put("bytes", bytes)
              .put("hash_functions", functions)
              .put("expected_fp", expected)
              .put("bip37", fits)
              .put("capped", capped)
              .put("bits_per_element", 8.0 * bytes / elements)
              .put("bip37_most_elements", mostElements());
      output()
          .result(
              json,
              out -> {
                out.println("elements        " + elements);
                out.println(
                    String.format(
                        Locale.ROOT,
                        "size            %d bytes (%s, %d bits, %.2f for each element)",
                        bytes,
                        Amounts.bytes(bytes),
                        8 * bytes,
                        8.0 * bytes / elements));
                out.println("hash functions  " + functions);
                out.println("expected rate   " + Amounts.rate(expected) + " when full");
                out.println("BIP37           " + verdict(fits, capped));
              });
    }

    /** How many elements 36,000 bytes can hold at this rate. */
    private long mostElements() {
      double bits = 8.0 * FilterParameters.MAX_BYTES;
      return (long) (bits * Math.log(2) * Math.log(2) / -Math.log(rate));
    }

    private String verdict(boolean fits, boolean capped) {
      if (fits) {
        return "fits";
      }
      String limits = "36,000 bytes and 50 functions";
      return capped
          ? "does not fit; cut to " + limits
          : "does not fit (at most "
              + limits
              + ", so about "
              + mostElements()
              + " elements at this rate); --bip37 cuts it";
    }
  }

  /** {@code murmur filter decode}. */
  @Command(
      name = "decode",
      description = "Take a filterload payload apart: what it tells everybody who sees it.",
      footer = {
        "",
        "Elements are estimated from the bits that are set, with the standard deviation. The actual",
        "rate is that of these very bits; what the filter was made for may be far from it. What it",
        "may be is a guess from its size, functions and flag.",
        "",
        "Example:",
        "  murmur filter decode 03614e9b050000000000000001"
      })
  static final class Decode extends Action {

    @Parameters(paramLabel = "HEX", description = "The payload, or - for stdin.")
    private String hex = "";

    @Override
    protected ExitCode run() {
      BloomFilter filter = decode(hex, surroundings());
      FilterParameters p = filter.parameters();
      LoadEstimate estimate = LoadEstimate.of(filter);
      List<String> guesses = Fingerprint.of(filter);
      boolean everything = filter.isEmpty() || p.hashFunctions() == 0;
      JsonObject json =
          new JsonObject()
              .put("bytes", p.bytes())
              .put("bits", p.bits())
              .put("hash_functions", p.hashFunctions())
              .put("tweak", Integer.toUnsignedLong(p.tweak()))
              .put("flags", p.flag().name().toLowerCase(Locale.ROOT))
              .put("bits_set", filter.bitsSet())
              .put("load", filter.load())
              .put("estimated_elements", estimate.elements())
              .put("estimated_elements_sd", estimate.deviation())
              .put("actual_fp", filter.realisedRate())
              .put("matches_everything", everything)
              .putStrings("may_be", guesses);
      output()
          .result(
              json,
              out -> {
                out.println("size            " + p.bytes() + " bytes (" + p.bits() + " bits)");
                out.println("hash functions  " + p.hashFunctions());
                out.println("tweak           " + Integer.toUnsignedString(p.tweak()));
                out.println("flags           " + p.flag());
                out.println(
                    "bits set        "
                        + filter.bitsSet()
                        + String.format(Locale.ROOT, " (%.1f %%)", 100 * filter.load()));
                out.println(
                    "elements        "
                        + (Double.isFinite(estimate.elements())
                            ? String.format(
                                Locale.ROOT,
                                "about %.1f (standard deviation %.1f)",
                                estimate.elements(),
                                estimate.deviation())
                            : "cannot be told"));
                out.println(
                    "actual rate     "
                        + Amounts.rate(filter.realisedRate())
                        + (everything ? ": it matches everything" : ""));
                out.println(
                    "may be of       "
                        + (guesses.isEmpty() ? "no client that is known" : guesses.get(0)));
                guesses.stream().skip(1).forEach(one -> out.println("                " + one));
              });
      return ExitCode.DONE;
    }
  }

  /** {@code murmur filter test}. */
  @Command(
      name = "test",
      description = "Ask a filter for elements.",
      footer = {
        "",
        "An element is an address, an outpoint TXID:VOUT, or hex as it is serialised: a key, a key",
        "hash, a script hash, or a txid or outpoint in internal byte order.",
        "",
        "Example:",
        "  murmur filter test 03614e9b050000000000000001 99108ad8ed9bb6274d3980bab5a85c048f0950c8"
      })
  static final class Test extends Action {

    @Parameters(index = "0", paramLabel = "HEX", description = "A filterload payload.")
    private String hex = "";

    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "ELEMENT",
        description = "What to ask for.")
    private List<String> elements = new ArrayList<>();

    @Override
    protected ExitCode run() {
      BloomFilter filter = decode(hex, surroundings());
      List<JsonObject> results = new ArrayList<>();
      List<String> lines = new ArrayList<>();
      for (String element : elements) {
        boolean contained = filter.contains(FilterElement.raw(element, addressNetwork()));
        results.add(new JsonObject().put("element", element).put("contained", contained));
        lines.add((contained ? "yes  " : "no   ") + element);
      }
      output().result(new JsonObject().put("results", results), out -> lines.forEach(out::println));
      return ExitCode.DONE;
    }
  }

  /** {@code murmur filter match}. */
  @Command(
      name = "match",
      description = "What a server would answer: run a filter over a block or a transaction.",
      footer = {
        "",
        "Examples:",
        "  bitcoin-cli getblock HASH 0 > block.hex",
        "  murmur filter match FILTER --block block.hex --json",
        "  murmur filter match FILTER --tx HEX"
      })
  static final class Match extends Action {

    @Parameters(paramLabel = "HEX", description = "A filterload payload, or - for stdin.")
    private String hex = "";

    @Option(
        names = "--block",
        paramLabel = "FILE",
        description = "A raw block, binary or hex; - for stdin.")
    private @Nullable String block;

    @Option(names = "--tx", paramLabel = "HEX", description = "A raw transaction; - for stdin.")
    private @Nullable String tx;

    @Override
    protected ExitCode run() {
      if ((block == null) == (tx == null)) {
        throw Failure.usage("give one of --block FILE and --tx HEX");
      }
      if (hex.equals("-") && ("-".equals(block) || "-".equals(tx))) {
        throw Failure.usage("only one thing can come from stdin");
      }
      ServerFilter server = new ServerFilter(decode(hex, surroundings()));
      List<Hash256> matched = new ArrayList<>();
      @Nullable MerkleBlock proof = null;
      try {
        if (tx != null) {
          Tx one = Tx.parse(Inputs.hexOrStdin("the transaction", tx, surroundings()));
          if (server.matchAndUpdate(one)) {
            matched.add(one.txid());
          }
        } else if (block != null) {
          proof = match(Inputs.binaryOrHexFile("--block", block, surroundings()), server, matched);
        }
      } catch (MalformedException e) {
        throw new Failure(
            ExitCode.FAILED,
            "malformed",
            (tx != null ? "no transaction: " : "no block: ") + Failures.message(e),
            e);
      }
      print(matched, proof, server.filter());
      return ExitCode.DONE;
    }

    private static MerkleBlock match(Bytes raw, ServerFilter server, List<Hash256> matched) {
      ByteReader in = new ByteReader(raw.unsafeArray());
      Bytes header = in.bytes(MerkleBlock.HEADER_BYTES);
      // The smallest transaction has 10 bytes: version, two counts, lock time.
      int count = in.count(10);
      List<Hash256> txids = new ArrayList<>();
      BitSet matches = new BitSet();
      for (int i = 0; i < count; i++) {
        Tx next = Tx.read(in);
        txids.add(next.txid());
        if (server.matchAndUpdate(next)) {
          matches.set(i);
          matched.add(next.txid());
        }
      }
      in.expectEnd();
      if (txids.isEmpty()) {
        throw new MalformedException("no transactions", MerkleBlock.HEADER_BYTES);
      }
      return MerkleBlock.of(header, PartialMerkleTree.build(txids, matches));
    }

    private void print(List<Hash256> matched, @Nullable MerkleBlock proof, BloomFilter after) {
      List<String> txids = matched.stream().map(Hash256::toDisplay).toList();
      @Nullable String proofHex = proof == null ? null : proof.toPayload().toHex();
      String afterHex = after.toPayload().toHex();
      output()
          .result(
              new JsonObject()
                  .putStrings("matched", txids)
                  .put("merkleblock", proofHex)
                  .put("filter_after", afterHex),
              out -> {
                out.println("matched       " + (txids.isEmpty() ? "nothing" : txids.size()));
                txids.forEach(txid -> out.println("  " + txid));
                if (proofHex != null) {
                  out.println("merkleblock   " + proofHex);
                }
                out.println("filter after  " + afterHex);
              });
    }
  }
}
