import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Packs lists of checkpoints into the resources that {@code org.murmur.p2p.chain.Checkpoints}
 * reads: {@code java tools/PackCheckpoints.java FOLDER_WITH_CSV
 * p2p/src/main/resources/org/murmur/p2p/chain}. The lists' columns are height, hash, previous_hash,
 * time, bits, chainwork (mainnet, testnet3, signet), or height, previous_hash (testnet4: the
 * checkpoint is then the block before).
 */
public final class PackCheckpoints {

  private static final int PERIOD = 2016;

  /** Chains of headers may begin at every tenth of them. */
  private static final int GRID = 10;

  /**
   * Electrum's list has no work. Bitcoin Core 30, src/kernel/chainparams.cpp, nMinimumChainWork:
   * that of the chain to block 91,000.
   */
  private static final String TESTNET4_WORK = "034a4690fe592dc49c7c";

  public static void main(String[] arguments) throws IOException {
    for (String network : List.of("mainnet", "testnet3", "testnet4", "signet")) {
      pack(
          Path.of(arguments[0], network + ".csv"), Path.of(arguments[1], network + ".checkpoints"));
    }
  }

  private static void pack(Path from, Path to) throws IOException {
    List<String> lines = Files.readAllLines(from);
    boolean before = !lines.get(0).startsWith("height,hash,");
    List<String> rows = lines.subList(1, lines.size());
    BigInteger work = new BigInteger(TESTNET4_WORK, 16);
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(to))) {
      out.writeInt(before ? PERIOD - 1 : PERIOD);
      out.writeInt(PERIOD);
      out.writeInt(rows.size());
      if (!before) {
        work = new BigInteger(rows.get(rows.size() - 1).split(",")[5], 16);
      }
      out.write(fixed(work));
      for (int i = 0; i < rows.size(); i++) {
        String[] cells = rows.get(i).split(",");
        if (Integer.parseInt(cells[0]) != PERIOD * (i + 1)) {
          throw new IOException(from + ": height " + cells[0] + " in row " + (i + 1));
        }
        out.write(reversed(fixed(new BigInteger(cells[1], 16))));
      }
      packBases(before ? List.of() : rows, out);
    }
  }

  private static void packBases(List<String> rows, DataOutputStream out) throws IOException {
    out.writeInt(rows.size() / GRID);
    for (int i = GRID - 1; i < rows.size(); i += GRID) {
      String[] cells = rows.get(i).split(",");
      out.writeInt(i);
      out.write(reversed(fixed(new BigInteger(cells[2], 16))));
      out.writeInt(Integer.parseUnsignedInt(cells[3]));
      out.writeInt(Integer.parseUnsignedInt(cells[4], 16));
      out.write(fixed(new BigInteger(cells[5], 16)));
    }
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
