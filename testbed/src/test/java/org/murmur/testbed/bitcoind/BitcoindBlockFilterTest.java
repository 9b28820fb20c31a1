package org.murmur.testbed.bitcoind;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.ChainCoin;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.FilterIndex;
import org.murmur.regtest.chain.OutputScripts;
import org.murmur.regtest.chain.TxBuilder;

/** Our basic filters and their headers are a real node's, whatever scripts a block has. */
@Tag("real-node")
class BitcoindBlockFilterTest {

  private static final int BLOCKS = 1_200;

  /** Output scripts, those first that can be spent without a key. */
  private enum Kind {
    EMPTY,
    TRUE,
    RETURN_NOT_FIRST,
    FREE_MULTISIG,
    FUTURE_WITNESS,
    SHORT_TAPROOT,
    SCRIPT_HASH,
    WITNESS_SCRIPT_HASH,
    LARGEST,
    RETURN,
    DATA,
    LARGE_DATA,
    TOO_LARGE,
    CUT_PUSH,
    GARBAGE,
    MULTISIG,
    KEY,
    FOREIGN;

    boolean isFree() {
      return compareTo(LARGEST) <= 0;
    }
  }

  private record Coin(OutPoint outPoint, long value, Kind kind, int from) {}

  private final Dice dice = new Dice(158);
  private final Chain chain = Chain.ofGenesis();
  private final List<Coin> coins = new ArrayList<>();
  private final Map<Kind, Bytes> last = new EnumMap<>(Kind.class);
  private final Map<Kind, Integer> paid = new EnumMap<>(Kind.class);
  private final Map<Kind, Integer> spent = new EnumMap<>(Kind.class);

  @Test
  void filtersAndHeadersAreTheNodes() {
    try (Bitcoind node =
        Bitcoind.setup().arguments("-maxtipage=9999999999", "-blockfilterindex=1").start()) {
      for (int i = 0; i < BLOCKS; i++) {
        mine(node);
      }
      node.rpc().call("syncwithvalidationinterfacequeue");
      int empty = 0;
      for (int height = 0; height <= BLOCKS; height++) {
        FilterIndex.Entry ours =
            Objects.requireNonNull(chain.filters().entry(chain.blockAt(height).hash()));
        JsonNode theirs = node.rpc().call("getblockfilter", ours.block().toDisplay());
        assertThat(ours.filter().toHex())
            .as("filter at height %s", height)
            .isEqualTo(theirs.path("filter").asText());
        assertThat(ours.header().toDisplay())
            .as("header at height %s", height)
            .isEqualTo(theirs.path("header").asText());
        empty += ours.filter().equals(Bytes.ofHex("00")) ? 1 : 0;
      }
      assertThat(empty).as("empty filters").isPositive();
    }
    for (Kind kind : Kind.values()) {
      assertThat(paid.getOrDefault(kind, 0)).as("%s paid", kind).isGreaterThan(20);
      if (kind.isFree()) {
        assertThat(spent.getOrDefault(kind, 0)).as("%s spent", kind).isGreaterThan(20);
      }
    }
  }

  private void mine(Bitcoind node) {
    int height = chain.height() + 1;
    List<Tx> transactions = new ArrayList<>();
    for (int i = dice.chance(0.3) ? 0 : dice.below(8); i > 0 && hasCoin(height); i--) {
      transactions.add(transaction(height));
    }
    Kind kind = dice.chance(0.5) ? Kind.TRUE : kind();
    Block block =
        BlockAssembly.next(
            chain, chain.tip().time() + 600, script(kind), 0, dice.below(1_000_000), transactions);
    chain.append(block);
    keep(block.tx(0), 0, kind, height + ChainCoin.MATURITY);
    JsonNode refusal = node.rpc().call("submitblock", block.raw().toHex());
    assertThat(refusal.isNull()).as("block %s: %s", height, refusal).isTrue();
  }

  private boolean hasCoin(int height) {
    return coins.stream().anyMatch(coin -> coin.from() <= height);
  }

  private Tx transaction(int height) {
    TxBuilder builder = new TxBuilder();
    long value = 0;
    for (int i = dice.between(1, 3); i > 0 && hasCoin(height); i--) {
      List<Coin> ripe = coins.stream().filter(coin -> coin.from() <= height).toList();
      Coin coin = ripe.get(dice.below(ripe.size()));
      coins.remove(coin);
      value += coin.value();
      spend(builder, coin);
    }
    List<Kind> kinds = new ArrayList<>();
    for (int i = dice.between(1, dice.chance(0.1) ? 40 : 5); i > 0; i--) {
      kinds.add(kind());
    }
    long each = value / kinds.size();
    kinds.forEach(kind -> builder.pay(each, script(kind)));
    Tx tx = builder.build();
    for (int i = 0; i < kinds.size(); i++) {
      // The same block may spend it.
      keep(tx, i, kinds.get(i), height);
    }
    return tx;
  }

  private void keep(Tx tx, int output, Kind kind, int from) {
    paid.merge(kind, 1, Integer::sum);
    if (kind.isFree()) {
      coins.add(new Coin(tx.outPoint(output), tx.outputs().get(output).value(), kind, from));
    }
  }

  private void spend(TxBuilder builder, Coin coin) {
    spent.merge(coin.kind(), 1, Integer::sum);
    Bytes scriptSig =
        switch (coin.kind()) {
          case EMPTY -> Bytes.ofHex("51");
          case FREE_MULTISIG -> Bytes.ofHex("00");
          case SCRIPT_HASH -> Bytes.ofHex("0151");
          default -> Bytes.EMPTY;
        };
    List<Bytes> witness =
        coin.kind() == Kind.WITNESS_SCRIPT_HASH ? List.of(Bytes.ofHex("51")) : List.of();
    builder.spend(coin.outPoint(), scriptSig, TxBuilder.REPLACEABLE, witness);
  }

  private Kind kind() {
    return Kind.values()[dice.below(Kind.values().length)];
  }

  /** Some scripts are always the same. Others are now and then the last one again. */
  private Bytes script(Kind kind) {
    Bytes again = last.get(kind);
    Bytes script = again != null && dice.chance(0.2) ? again : drawn(kind);
    last.put(kind, script);
    return script;
  }

  private Bytes drawn(Kind kind) {
    return switch (kind) {
      case EMPTY -> Bytes.EMPTY;
      case TRUE -> Bytes.ofHex("51");
      // OP_0 OP_IF OP_RETURN OP_ENDIF OP_TRUE
      case RETURN_NOT_FIRST -> Bytes.ofHex("00636a6851");
      case FREE_MULTISIG -> multisig(0);
      case FUTURE_WITNESS ->
          new ByteWriter()
              .uint8(dice.between(0x52, 0x60))
              .varBytes(dice.bytes(dice.between(2, 40)))
              .toBytes();
      case SHORT_TAPROOT ->
          new ByteWriter().uint8(0x51).varBytes(dice.bytes(dice.between(2, 31))).toBytes();
      // The hashes of OP_TRUE.
      case SCRIPT_HASH -> Bytes.ofHex("a914da1745e9b549bd0bfa1a569971c77eba30cd5a4b87");
      case WITNESS_SCRIPT_HASH ->
          OutputScripts.payToWitnessScriptHash(OutputScripts.sha256(Bytes.ofHex("51")));
      case LARGEST -> largest();
      case RETURN -> Bytes.ofHex("6a");
      case DATA -> OutputScripts.data(dice.bytes(dice.between(0, 75)));
      case LARGE_DATA -> behind(0x6a, dice.bytes(dice.between(76, 20_000)));
      case TOO_LARGE -> behind(0x61, dice.bytes(dice.between(10_000, 20_000)));
      case CUT_PUSH -> Bytes.ofHex(dice.chance(0.5) ? "4c" : "4dff");
      case GARBAGE -> dice.bytes(dice.between(1, 60));
      case MULTISIG -> multisig(1);
      case KEY -> new ByteWriter().varBytes(key()).uint8(0xac).toBytes();
      case FOREIGN -> OutputScripts.foreign(dice);
    };
  }

  private static Bytes behind(int first, Bytes rest) {
    return new ByteWriter().uint8(first).bytes(rest).toBytes();
  }

  private Bytes key() {
    return behind(2, dice.bytes(32));
  }

  /** Bare multisignature, of which a spend needs this many signatures. */
  private Bytes multisig(int signatures) {
    int keys = dice.between(1, 3);
    ByteWriter out = new ByteWriter().uint8(signatures == 0 ? 0 : 0x50 + signatures);
    for (int i = 0; i < keys; i++) {
      out.varBytes(key());
    }
    return out.uint8(0x50 + keys).uint8(0xae).toBytes();
  }

  /** 10,000 bytes (Core's MAX_SCRIPT_SIZE): pushes of 520, each dropped, then OP_TRUE. */
  private Bytes largest() {
    ByteWriter out = new ByteWriter();
    for (int i = 0; i < 19; i++) {
      out.uint8(0x4d).uint16(520).bytes(dice.bytes(520)).uint8(0x75);
    }
    return out.varBytes(dice.bytes(41)).uint8(0x75).uint8(0x51).toBytes();
  }
}
