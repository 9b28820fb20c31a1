import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Packs lists of checkpoints into the resources that {@code org.murmur.p2p.chain.Checkpoints}
 * reads: {@code java tools/PackCheckpoints.java FOLDER_WITH_CSV
 * p2p/src/main/resources/org/murmur/p2p/chain}. The same lists give the same files.
 *
 * <p>{@code NETWORK.csv} has the first blocks of difficulty periods: height, hash, previous_hash,
 * time, bits, chainwork (mainnet, testnet3, signet), or height, previous_hash (testnet4). {@code
 * NETWORK-ends.csv}, if there is one, goes on with the last blocks of later periods: height, hash,
 * and for mainnet bits and chainwork. Both name the last block of each period.
 */
public final class PackCheckpoints {

  private static final int PERIOD = 2016;
  private static final int PERIOD_SECONDS = 14 * 24 * 60 * 60;

  /** Chains of headers may begin after every tenth period. */
  private static final int GRID = 10;

  /**
   * nMinimumChainWork of Bitcoin Core, src/kernel/chainparams.cpp: where the lists have less work,
   * or none. Testnet4: Core 30, block 91,000. Signet: Core 31, block 293,175.
   */
  private static final Map<String, String> CORE =
      Map.of("testnet4", "034a4690fe592dc49c7c", "signet", "0b463ea0a4b8");

  /**
   * The last block of a period, and the facts that a chain which begins after it needs, if known.
   */
  private record End(int height, BigInteger hash, Start next) {}

  /** The first block of a period: time (computed if no list has it), target, and the work below. */
  private record Start(long time, long bits, BigInteger workBelow) {}

  private BigInteger work = BigInteger.ZERO;
  private final List<End> ends = new ArrayList<>();

  public static void main(String[] arguments) throws IOException {
    for (String network : List.of("mainnet", "testnet3", "testnet4", "signet")) {
      PackCheckpoints lists = new PackCheckpoints();
      lists.readStarts(rows(Path.of(arguments[0], network + ".csv")));
      Path later = Path.of(arguments[0], network + "-ends.csv");
      if (Files.exists(later)) {
        lists.readEnds(rows(later));
      }
      lists.work = lists.work.max(new BigInteger(CORE.getOrDefault(network, "0"), 16));
      lists.pack(Path.of(arguments[1], network + ".checkpoints"));
    }
  }

  private static List<String[]> rows(Path from) throws IOException {
    return Files.readAllLines(from).stream().skip(1).map(line -> line.split(",")).toList();
  }

  private void readStarts(List<String[]> rows) {
    for (String[] row : rows) {
      int height = Integer.parseInt(row[0]) - 1;
      if (row.length == 2) {
        add(height, hex(row[1]), null);
      } else {
        work = hex(row[5]);
        long bits = Long.parseLong(row[4], 16);
        add(height, hex(row[2]), new Start(Long.parseLong(row[3]), bits, work.subtract(of(bits))));
      }
    }
  }

  /** The targets of two periods tell how long the first one took, so the time goes on. */
  private void readEnds(List<String[]> rows) throws IOException {
    Start start = ends.get(ends.size() - 1).next();
    for (int i = 0; i < rows.size(); i++) {
      String[] row = rows.get(i);
      Start next = null;
      if (row.length > 2) {
        work = hex(row[3]);
        long bits = Long.parseLong(row[2], 16);
        BigInteger expected = start.workBelow().add(of(bits).multiply(BigInteger.valueOf(PERIOD)));
        if (bits != start.bits() || !work.equals(expected)) {
          throw new IOException("bits or work of height " + row[0] + " do not follow");
        }
        if (i + 1 < rows.size()) {
          long after = Long.parseLong(rows.get(i + 1)[2], 16);
          next = new Start(start.time() + seconds(bits, after), after, work);
        }
      }
      add(Integer.parseInt(row[0]), hex(row[1]), next);
      start = next;
    }
  }

  private void add(int height, BigInteger hash, Start next) {
    if (height != PERIOD * (ends.size() + 1) - 1) {
      throw new IllegalArgumentException("height " + height + " in row " + (ends.size() + 1));
    }
    ends.add(new End(height, hash, next));
  }

  /** From a period's first block to the next one's, by their targets: 2,015 intervals and one. */
  private static long seconds(long bits, long next) {
    BigInteger taken = target(next).multiply(BigInteger.valueOf(PERIOD_SECONDS));
    return taken.divide(target(bits)).longValueExact() + PERIOD_SECONDS / PERIOD;
  }

  private static BigInteger target(long bits) {
    return BigInteger.valueOf(bits & 0x7fffff).shiftLeft(8 * (int) ((bits >> 24) - 3));
  }

  private static BigInteger of(long bits) {
    return BigInteger.ONE.shiftLeft(256).divide(target(bits).add(BigInteger.ONE));
  }

  private void pack(Path to) throws IOException {
    List<End> bases = new ArrayList<>();
    for (int i = GRID - 1; i < ends.size(); i += GRID) {
      if (ends.get(i).next() != null) {
        bases.add(ends.get(i));
      }
    }
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(to))) {
      out.writeInt(ends.size());
      out.write(fixed(work));
      for (End end : ends) {
        out.write(reversed(fixed(end.hash())));
      }
      out.writeInt(bases.size());
      for (End base : bases) {
        out.writeInt((base.height() + 1) / PERIOD - 1);
        out.writeInt((int) base.next().time());
        out.writeInt((int) base.next().bits());
        out.write(fixed(base.next().workBelow()));
      }
    }
  }

  private static BigInteger hex(String text) {
    return new BigInteger(text, 16);
  }

  private static byte[] fixed(BigInteger number) {
    byte[] bytes = new byte[32];
    byte[] minimal = number.toByteArray();
    int length = Math.min(32, minimal.length);
    System.arraycopy(minimal, minimal.length - length, bytes, 32 - length, length);
    return bytes;
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }
}
