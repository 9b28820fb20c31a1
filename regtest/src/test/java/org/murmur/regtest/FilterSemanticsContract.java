package org.murmur.regtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.bitcoinj.crypto.ECKey;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.KeySigner;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/**
 * What a node of BIP-0037 serves, as measured on Bitcoin Knots 29: a key in the filter, its coin
 * later swept without change. Run against the embedded node and a real one; both must hold it.
 */
public abstract class FilterSemanticsContract extends NodeContract {

  public enum ScriptType {
    P2WPKH(0, 2),
    P2PKH(1, 3),
    P2SH_P2WPKH(2, 2),
    P2TR(3, 2);

    private final int keyIndex;
    private final int programAt;

    ScriptType(int keyIndex, int programAt) {
      this.keyIndex = keyIndex;
      this.programAt = programAt;
    }

    public Bytes script(ECKey key) {
      return switch (this) {
        case P2WPKH -> KeySigner.payToWitnessPubKeyHash(key);
        case P2PKH -> KeySigner.payToPubKeyHash(key);
        case P2SH_P2WPKH -> KeySigner.payToNestedWitness(key);
        case P2TR -> KeySigner.payToTaproot(key);
      };
    }

    public Bytes script(List<ECKey> keys) {
      return script(keys.get(keyIndex));
    }

    /** What the script pushes: 20 or 32 bytes. */
    Bytes element(List<ECKey> keys) {
      Bytes bytes = script(keys);
      return bytes.slice(programAt, programAt + bytes.at(programAt - 1));
    }
  }

  /** A payment and its spend, in two blocks or in one. */
  private record Pair(Tx payment, Tx spend) {}

  // A key for each type: P2PKH and P2WPKH of one key are the same element.
  private static final List<ECKey> APART = Wallets.keys(71, ScriptType.values().length);
  private static final List<ECKey> TOGETHER = Wallets.keys(72, ScriptType.values().length);
  private static final Bytes STRANGER =
      OutputScripts.payToWitnessPubKeyHash(Bytes.wrap(new byte[20]));
  private static final Bytes SOMETHING_ELSE = Bytes.ofHex("5011e7b1ed5e7b1e");
  private static final KeySigner SIGNER =
      KeySigner.of(Stream.concat(APART.stream(), TOGETHER.stream()).toList());

  private Map<ScriptType, Pair> apart = Map.of();
  private Map<ScriptType, Pair> together = Map.of();
  private Hash256 paymentBlock = Hash256.ZERO;
  private Hash256 spendBlock = Hash256.ZERO;
  private Hash256 blockOfBoth = Hash256.ZERO;

  @BeforeAll
  void buildChain() {
    try (RegtestNode builder = RegtestNode.start()) {
      OutPoint lane = Lane.fund(builder);
      apart = pairs(builder, lane, APART);
      paymentBlock = builder.mine(apart.values().stream().map(Pair::payment).toList()).hash();
      builder.mine(1);
      spendBlock = builder.mine(apart.values().stream().map(Pair::spend).toList()).hash();
      OutPoint rest = last(apart).outPoint(0);
      together = pairs(builder, rest, TOGETHER);
      List<Tx> both = new ArrayList<>();
      together.values().forEach(pair -> both.addAll(List.of(pair.payment(), pair.spend())));
      blockOfBoth = builder.mine(both).hash();
      builder.mine(1);
      serve(builder.chain(), ContractNode.Kind.TRUSTING);
    }
  }

  private static Tx last(Map<ScriptType, Pair> pairs) {
    return Objects.requireNonNull(pairs.get(ScriptType.P2TR)).payment();
  }

  /** A chain of payments, each with a sweep of what it pays. */
  private static Map<ScriptType, Pair> pairs(
      RegtestNode builder, OutPoint funds, List<ECKey> keys) {
    long value = Objects.requireNonNull(builder.chain().coin(funds)).value();
    OutPoint lane = funds;
    Map<ScriptType, Pair> pairs = new EnumMap<>(ScriptType.class);
    for (ScriptType type : ScriptType.values()) {
      value -= 101_000;
      Tx payment = Lane.spend(lane).pay(value, Lane.SCRIPT).pay(100_000, type.script(keys)).build();
      Tx sweep = new TxBuilder().spend(payment.outPoint(1)).pay(99_000, STRANGER).build();
      pairs.put(type, new Pair(payment, SIGNER.sign(sweep, List.of(payment.outputs().get(1)))));
      lane = payment.outPoint(0);
    }
    return pairs;
  }

  @ParameterizedTest
  @EnumSource
  void allAscendingInOneLoadShowsBoth(ScriptType type) {
    try (TestPeer peer = peer()) {
      load(peer, UpdateFlag.ALL, key(type));
      assertThat(peer.filtered(paymentBlock, spendBlock))
          .extracting(Tx::txid)
          .containsExactly(payment(type), spend(type));
    }
  }

  @ParameterizedTest
  @EnumSource
  void noneMissesTheSpend(ScriptType type) {
    try (TestPeer peer = peer()) {
      load(peer, UpdateFlag.NONE, key(type));
      assertThat(peer.filtered(paymentBlock, spendBlock))
          .extracting(Tx::txid)
          .containsExactly(payment(type));
    }
  }

  @ParameterizedTest
  @EnumSource
  void pubKeyOnlyMissesTheSpend(ScriptType type) {
    try (TestPeer peer = peer()) {
      load(peer, UpdateFlag.P2PUBKEY_ONLY, key(type));
      assertThat(peer.filtered(paymentBlock, spendBlock))
          .extracting(Tx::txid)
          .containsExactly(payment(type));
    }
  }

  @ParameterizedTest
  @EnumSource
  void loadingTheSameFilterAgainForgetsTheOutPoint(ScriptType type) {
    try (TestPeer peer = peer()) {
      load(peer, UpdateFlag.ALL, key(type));
      assertThat(peer.filtered(paymentBlock)).hasSize(1);
      load(peer, UpdateFlag.ALL, key(type));
      assertThat(peer.filtered(spendBlock)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void askingForTheHigherBlockFirstMissesTheSpend(ScriptType type) {
    try (TestPeer peer = peer()) {
      load(peer, UpdateFlag.ALL, key(type));
      assertThat(peer.filtered(spendBlock, paymentBlock))
          .extracting(Tx::txid)
          .containsExactly(payment(type));
    }
  }

  @ParameterizedTest
  @EnumSource
  void addingSomethingElseInBetweenDoesNoHarm(ScriptType type) {
    try (TestPeer peer = peer()) {
      load(peer, UpdateFlag.ALL, key(type));
      peer.ask(InventoryItem.FILTERED_BLOCK, paymentBlock);
      peer.send(new Message.FilterAdd(SOMETHING_ELSE));
      peer.ask(InventoryItem.FILTERED_BLOCK, spendBlock);
      assertThat(TestPeer.transactions(peer.barrier()))
          .extracting(Tx::txid)
          .containsExactly(payment(type), spend(type));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOutPointInTheFilterShowsTheSpend(ScriptType type) {
    try (TestPeer peer = peer()) {
      load(peer, UpdateFlag.NONE, key(type), coin(apart, type));
      assertThat(peer.filtered(paymentBlock, spendBlock))
          .extracting(Tx::txid)
          .containsExactly(payment(type), spend(type));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOutPointAddedInMidStreamShowsTheSpend(ScriptType type) {
    try (TestPeer peer = peer()) {
      load(peer, UpdateFlag.NONE, key(type));
      peer.ask(InventoryItem.FILTERED_BLOCK, paymentBlock);
      peer.send(new Message.FilterAdd(coin(apart, type)));
      peer.ask(InventoryItem.FILTERED_BLOCK, spendBlock);
      assertThat(TestPeer.transactions(peer.barrier()))
          .extracting(Tx::txid)
          .containsExactly(payment(type), spend(type));
    }
  }

  @ParameterizedTest
  @EnumSource
  void bothInOneBlock(ScriptType type) {
    Pair pair = Objects.requireNonNull(together.get(type));
    Hash256 payment = pair.payment().txid();
    Hash256 spend = pair.spend().txid();
    Bytes key = type.element(TOGETHER);
    try (TestPeer peer = peer()) {
      load(peer, UpdateFlag.ALL, key);
      assertThat(peer.filtered(blockOfBoth)).extracting(Tx::txid).containsExactly(payment, spend);
      load(peer, UpdateFlag.NONE, key);
      assertThat(peer.filtered(blockOfBoth)).extracting(Tx::txid).containsExactly(payment);
      load(peer, UpdateFlag.NONE, key, coin(together, type));
      assertThat(peer.filtered(blockOfBoth)).extracting(Tx::txid).containsExactly(payment, spend);
    }
  }

  private TestPeer peer() {
    return TestPeer.connect("127.0.0.1", node(ContractNode.Kind.TRUSTING).port());
  }

  private static void load(TestPeer peer, UpdateFlag flag, Bytes... elements) {
    // At 20 functions and 2 elements in 8,000 bits a false match would need a miracle.
    BloomFilter.Builder builder = BloomFilter.builder(new FilterParameters(1000, 20, 7, flag));
    for (Bytes element : elements) {
      builder.add(element);
    }
    peer.send(new Message.FilterLoad(builder.build()));
  }

  private static Bytes key(ScriptType type) {
    return type.element(APART);
  }

  private static Bytes coin(Map<ScriptType, Pair> pairs, ScriptType type) {
    return Objects.requireNonNull(pairs.get(type)).payment().outPoint(1).toBytes();
  }

  private Hash256 payment(ScriptType type) {
    return Objects.requireNonNull(apart.get(type)).payment().txid();
  }

  private Hash256 spend(ScriptType type) {
    return Objects.requireNonNull(apart.get(type)).spend().txid();
  }
}
