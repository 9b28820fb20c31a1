package org.murmur.testbed.hostile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.PartialMerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;
import org.murmur.regtest.node.Lie;
import org.murmur.regtest.node.Mask;

/** Has one more mined block on top of the honest chain, which every honest node refuses. */
final class TopBlock implements Mask {

  private static final long SPACING = 600;

  private static final int INPUTS_AT = 4;
  private static final Bytes ROOT_RIGHT_MATCH = Bytes.of(new byte[] {0b01101});
  private static final Bytes REST =
      new ByteWriter(Hash256.LENGTH)
          .bytes(Bytes.wrap(new byte[5])) // the end of the txid that is spent
          .int32(0) // the index of its output
          .uint8(0) // no script
          .int32(-1) // sequence
          .uint8(1) // one output
          .int64(1_000)
          .varBytes(Bytes.wrap(new byte[4])) // its script
          .int32(0) // lock time
          .toBytes();

  private final Hash256 below;
  private final Block block;
  private final List<Message> proof;
  private boolean known;

  /** The proof is the answer to a request for the block. */
  private TopBlock(
      Chain chain, List<Tx> transactions, Duration ahead, Function<Block, List<Message>> proof) {
    Block tip = chain.tip();
    this.below = tip.hash();
    this.block =
        BlockAssembly.next(
            chain,
            tip.time() + SPACING + ahead.toSeconds(),
            OutputScripts.anyoneCanSpend(2),
            0,
            0,
            transactions);
    this.proof = List.copyOf(proof.apply(block));
  }

  /** Announces a block that is dated 30 days ahead, and shows its header only. */
  static Lie ofTheFuture() {
    return (chain, seed) -> new TopBlock(chain, List.of(), Duration.ofDays(30), block -> List.of());
  }

  /** Its block pays the wallet a value that no output can have, in satoshi. */
  static Lie paying(Bytes script, long value) {
    return counterfeiting(reward -> new TxBuilder().spend(reward).pay(value, script).build());
  }

  /** Its block has a transaction that spends a coin twice (CVE-2018-17144). */
  static Lie spendingTwice(Bytes script) {
    return counterfeiting(
        reward -> new TxBuilder().spend(reward).spend(reward).pay(1_000_000, script).build());
  }

  /** Its block creates coins for the wallet in a second coinbase. */
  static Lie creating(Bytes script) {
    return counterfeiting(
        reward ->
            new TxBuilder()
                .spend(new OutPoint(Hash256.ZERO, -1), Bytes.ofHex("020107"), -1, List.of())
                .pay(5_000_000_000L, script)
                .build());
  }

  /**
   * Proves a made-up payment by a leaf inside a transaction of 64 bytes (CVE-2017-12842).
   *
   * <pre>
   * block:   root = H(coinbase, H(64 bytes))      told: root = H(coinbase, H(payment, rest))
   * 64 bytes = txid of the payment | rest; its fifth byte, the number of inputs, must be 1
   * </pre>
   *
   * <p>The input of these 64 bytes does not exist: an existing one takes about 2^70 hashes. A
   * client cannot see that, so the lie is the same to it.
   */
  static Lie decoying(Bytes script) {
    Tx payment = decoy(script);
    Tx node = Tx.parse(new ByteWriter(64).hash(payment.txid()).bytes(REST).toBytes());
    return (chain, seed) ->
        new TopBlock(chain, List.of(node), Duration.ZERO, block -> proveDecoy(block, payment));
  }

  private static Lie counterfeiting(Function<OutPoint, Tx> made) {
    return (chain, seed) -> {
      Tx tx = made.apply(chain.blockAt(1).tx(0).outPoint(0));
      return new TopBlock(chain, List.of(tx), Duration.ZERO, TopBlock::prove);
    };
  }

  private static List<Message> prove(Block block) {
    BitSet second = new BitSet();
    second.set(1);
    return delivering(block, PartialMerkleTree.build(block.txids(), second), block.tx(1));
  }

  private static Tx decoy(Bytes script) {
    int number = 0;
    while (true) {
      Tx tx = Announcer.spendingNothing(number++).pay(1_000_000, script).build();
      if (tx.txid().toInternal()[INPUTS_AT] == 1) {
        return tx;
      }
    }
  }

  private static List<Message> proveDecoy(Block block, Tx payment) {
    Hash256 rest = Hash256.ofInternal(REST.toArray());
    PartialMerkleTree tree =
        PartialMerkleTree.of(4, List.of(block.txid(0), payment.txid(), rest), ROOT_RIGHT_MATCH);
    return delivering(block, tree, payment);
  }

  /** The messages that prove and deliver a transaction. */
  private static List<Message> delivering(Block block, PartialMerkleTree tree, Tx tx) {
    return List.of(
        new Message.MerkleBlockMessage(MerkleBlock.of(block.header().bytes(), tree)),
        new Message.TxMessage(tx));
  }

  @Override
  public @Nullable Message hears(Message message) {
    if (message instanceof Message.GetHeaders ask) {
      known = ask.locator().contains(block.hash());
    }
    return message;
  }

  @Override
  public List<Message> answers(Message message) {
    List<Message> answers = new ArrayList<>();
    if (message instanceof Message.GetData ask) {
      for (InventoryItem item : ask.items()) {
        if (item.hash().equals(block.hash())) {
          boolean whole = item.type() == InventoryItem.BLOCK;
          answers.addAll(whole ? List.of(new Message.BlockMessage(block.raw())) : proof);
        }
      }
    }
    return answers;
  }

  @Override
  public List<Message> says(Message message) {
    if (!(message instanceof Message.HeadersMessage told) || known) {
      return List.of(message);
    }
    Headers headers = told.headers();
    boolean toTheTop = headers.isEmpty() || headers.hash(headers.count() - 1).equals(below);
    return toTheTop ? List.of(new Message.HeadersMessage(withTop(headers))) : List.of(message);
  }

  private Headers withTop(Headers headers) {
    Bytes told = headers.toStored();
    Bytes all =
        new ByteWriter(told.length() + Headers.HEADER_LENGTH)
            .bytes(told)
            .bytes(block.header().bytes())
            .toBytes();
    return Headers.ofStored(all);
  }
}
