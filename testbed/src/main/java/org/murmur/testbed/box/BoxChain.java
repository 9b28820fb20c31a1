package org.murmur.testbed.box;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.LittleEndian;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.BlockHeader;
import org.murmur.p2p.chain.ChainParams;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/**
 * A short chain of signet with real proof of work, about 4.8 million hashes a block. The nonces of
 * the old blocks, which make the first coinbase spendable, are built in. Blocks of the last hour
 * are mined when asked for; one of them pays to a wallet. No block has a signer's signature, which
 * headers do not show.
 */
public final class BoxChain {

  /** The network. */
  public static final ChainParams NETWORK = ChainParams.SIGNET;

  /** Least height at which the first block's coinbase can be spent (Core's COINBASE_MATURITY). */
  static final int OLD = 100;

  private static final int RECENT = 6;
  private static final int EASY = 0x207fffff;
  private static final long SPACING = 600;
  private static final long RECENT_SPACING = 540;
  private static final Bytes ANYONE = OutputScripts.payToAnyone(0);

  private BoxChain() {}

  /** Mines a chain that pays some satoshi to a script, and writes it to a file. */
  public static void write(Path file, Bytes script, long value, Instant now) throws IOException {
    Chain chain = Chain.ofAnyTarget(NETWORK);
    int[] nonces = nonces();
    for (int i = 0; i < OLD; i++) {
      long time = chain.tip().time() + SPACING;
      chain.append(mine(chain, time, List.of(), i < nonces.length ? nonces[i] : 0));
    }
    Tx first = chain.blockAt(1).tx(0);
    OutPoint coin = first.outPoint(0);
    long left = first.outputs().get(0).value() - value - 1_000;
    Tx payment = new TxBuilder().spendAnyones(coin, 0).pay(value, script).pay(left, ANYONE).build();
    for (int i = RECENT; i > 0; i--) {
      long time = now.getEpochSecond() - RECENT_SPACING * i;
      chain.append(mine(chain, time, i == RECENT / 2 ? List.of(payment) : List.of(), 0));
    }
    List<String> lines = new ArrayList<>();
    for (int height = 1; height <= chain.height(); height++) {
      lines.add(chain.blockAt(height).raw().toHex());
    }
    Files.write(file, lines);
  }

  /** Reads what {@link #write} has written. */
  static Chain read(Path file) throws IOException {
    Chain chain = Chain.ofAnyTarget(NETWORK);
    Files.readAllLines(file).forEach(line -> chain.append(Block.parse(Bytes.ofHex(line))));
    return chain;
  }

  private static int[] nonces() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(BoxChain.class.getResourceAsStream("nonces.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .mapToInt(Integer::parseInt)
          .toArray();
    }
  }

  private static Block mine(Chain chain, long time, List<Tx> transactions, int firstNonce) {
    int height = chain.height() + 1;
    long reward = Chain.subsidy(height);
    Block draft =
        BlockAssembly.mine(chain.tip().hash(), height, time, EASY, ANYONE, reward, 0, transactions);
    int bits = BlockHeader.of(NETWORK.genesisHeader()).bits();
    BlockHeader header =
        BlockHeader.of(
            draft.header().version(),
            draft.previous(),
            draft.header().merkleRoot(),
            time,
            bits,
            firstNonce);
    return Block.of(solve(header), draft.transactions());
  }

  private static BlockHeader solve(BlockHeader from) {
    byte[] bytes = from.bytes().toArray();
    MessageDigest sha = sha256();
    for (int nonce = from.nonce(); ; nonce++) {
      LittleEndian.putInt32(bytes, BlockHeader.NONCE, nonce);
      byte[] hash = sha.digest(sha.digest(bytes));
      // The target has 22 zero bits.
      if (hash[31] == 0 && hash[30] == 0 && (hash[29] & 0xfc) == 0) {
        BlockHeader header = BlockHeader.of(Bytes.wrap(bytes.clone()));
        if (header.reachesItsTarget()) {
          return header;
        }
      }
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** Prints the nonces of the old blocks. */
  public static void main(String[] arguments) throws IOException {
    write(Path.of(arguments[0]), ANYONE, 1, Instant.now());
    Chain chain = read(Path.of(arguments[0]));
    for (int height = 1; height <= OLD; height++) {
      System.out.println(chain.blockAt(height).header().nonce());
    }
  }
}
