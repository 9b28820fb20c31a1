package org.murmur.regtest.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterParameters;
import org.murmur.bip37.ServerFilter;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.tx.Tx;
import org.murmur.regtest.chain.Block;
import org.murmur.regtest.chain.BlockAssembly;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.TxBuilder;

/** A block is matched as its transactions are, one after another, and the filter grows alike. */
class BlockMatcherTest {

  private static final Bytes HASH = Bytes.ofHex("ab".repeat(20));
  private static final Bytes KEY = Bytes.ofHex("02" + "cd".repeat(32));
  private static final Bytes OTHER = Bytes.ofHex("0014" + "11".repeat(20));
  private static final OutPoint SPENT =
      new OutPoint(Hash256.ofInternal(KEY.slice(1, 33).toArray()), 1);
  private static final List<UpdateFlag> FLAGS = List.of(UpdateFlag.values());
  private static final int FINAL = -1;

  private static Bytes script(String... parts) {
    return Bytes.ofHex(String.join("", parts));
  }

  private static BloomFilter filter(UpdateFlag flag, Bytes... elements) {
    // At 20 functions and few elements in 8,000 bits a false match would need a miracle.
    BloomFilter.Builder builder = BloomFilter.builder(new FilterParameters(1000, 20, 7, flag));
    for (Bytes element : elements) {
      builder.add(element);
    }
    return builder.build();
  }

  private static Block block(List<Tx> transactions) {
    return BlockAssembly.mine(Hash256.ZERO, 1, 1_700_000_000L, OTHER, 0, 0, transactions);
  }

  private static BitSet oneByOne(Block block, ServerFilter filter) {
    BitSet matches = new BitSet();
    for (int i = 0; i < block.size(); i++) {
      matches.set(i, filter.matchAndUpdate(block.tx(i)));
    }
    return matches;
  }

  private static BitSet bits(int... set) {
    BitSet bits = new BitSet();
    for (int bit : set) {
      bits.set(bit);
    }
    return bits;
  }

  private static TxBuilder spending(OutPoint spent) {
    return new TxBuilder().spend(spent);
  }

  private static OutPoint foreign(int number) {
    return new OutPoint(Hash256.ofInternal(new Dice(number).bytes(32).toArray()), 0);
  }

  /** The payment is to a key's hash, a bare key and a bare multisig; each is spent. */
  @ParameterizedTest
  @EnumSource
  void theFlagDecidesWhichSpendsOfThisBlockMatch(UpdateFlag flag) {
    Tx payment =
        spending(foreign(1))
            .pay(1, script("0014", "ab".repeat(20)))
            .pay(1, script("21", KEY.toHex(), "ac"))
            .pay(1, script("5121", KEY.toHex(), "51ae"))
            .build();
    List<Tx> all = new ArrayList<>(List.of(payment));
    for (int i = 0; i < 3; i++) {
      all.add(spending(payment.outPoint(i)).pay(1, OTHER).build());
    }
    // The coinbase is number 0, the payment 1.
    BitSet expected =
        switch (flag) {
          case NONE -> bits(1);
          case ALL -> bits(1, 2, 3, 4);
          case P2PUBKEY_ONLY -> bits(1, 3, 4);
        };
    ServerFilter filter = new ServerFilter(filter(flag, HASH, KEY));
    assertThat(new BlockMatcher().match(block(all), filter)).isEqualTo(expected);
    assertThat(filter.outPointsAdded()).isEqualTo(expected.cardinality() - 1);
  }

  @ParameterizedTest
  @EnumSource
  void aSpendBeforeItsPaymentInTheNextBlockDoesNotMatch(UpdateFlag flag) {
    Tx payment = spending(foreign(1)).pay(1, script("0014", "ab".repeat(20))).build();
    Block spend = block(List.of(spending(payment.outPoint(0)).pay(1, OTHER).build()));
    Block pays = block(List.of(payment));
    ServerFilter filter = new ServerFilter(filter(flag, HASH));
    BlockMatcher matcher = new BlockMatcher();
    assertThat(matcher.match(spend, filter)).isEqualTo(bits());
    assertThat(matcher.match(pays, filter)).isEqualTo(bits(1));
    assertThat(matcher.match(spend, filter)).isEqualTo(flag == UpdateFlag.ALL ? bits(1) : bits());
  }

  @Test
  void findsEachPlaceAnElementMayStandIn() {
    Tx byTxid = spending(foreign(1)).pay(1, OTHER).build();
    String push = "ab".repeat(20);
    List<Tx> all =
        List.of(
            byTxid,
            spending(SPENT).pay(1, OTHER).build(),
            inSignature(script("14", push)),
            // The other forms of a push, and one after something else.
            inSignature(script("4c14", push)),
            inSignature(script("4d1400", push)),
            inSignature(script("4e14000000", push)),
            inSignature(script("51", "02beef", "14", push)),
            spending(foreign(2)).pay(1, OTHER).pay(1, script("a914", push, "87")).build(),
            // After a push of 256 bytes, which are no pushes themselves.
            inSignature(script("4d0001", "4b".repeat(256), "14", push)),
            // In the witness, in a broken push, and without its length it is not found.
            new TxBuilder()
                .spend(foreign(3), Bytes.EMPTY, FINAL, List.of(HASH))
                .pay(1, OTHER)
                .build(),
            inSignature(script("15", push)),
            inSignature(script("4c15", push)),
            inSignature(script("4d14")),
            inSignature(script("13", "ab".repeat(19))));
    ServerFilter filter =
        new ServerFilter(
            filter(UpdateFlag.NONE, HASH, SPENT.toBytes(), Bytes.wrap(byTxid.txid().toInternal())));
    assertThat(new BlockMatcher().match(block(all), filter))
        .isEqualTo(bits(1, 2, 3, 4, 5, 6, 7, 8, 9));
  }

  private static Tx inSignature(Bytes scriptSig) {
    return new TxBuilder().spend(foreign(4), scriptSig, FINAL, List.of()).pay(1, OTHER).build();
  }

  /** Short scripts of bytes that are often push codes, so that pushes are cut and nested. */
  @Test
  void anyBlockIsMatchedAsItsTransactionsAre() {
    int matched = 0;
    for (int seed = 0; seed < 300; seed++) {
      Dice dice = new Dice(seed);
      List<Bytes> elements = new ArrayList<>();
      List<Tx> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        elements.add(dice.bytes(1 + dice.below(2)));
        TxBuilder tx = new TxBuilder();
        for (int input = dice.below(2); input >= 0; input--) {
          boolean own = i > 0 && dice.chance(0.5);
          OutPoint spent = own ? all.get(dice.below(i)).outPoint(0) : foreign(100 * seed + i);
          tx.spend(
              spent,
              random(dice, elements),
              FINAL,
              dice.chance(0.3) ? List.of(dice.bytes(3)) : List.of());
        }
        for (int output = dice.below(3); output >= 0; output--) {
          tx.pay(1, random(dice, elements));
        }
        all.add(tx.build());
      }
      Block block = block(all);
      UpdateFlag flag = FLAGS.get(dice.below(FLAGS.size()));
      BloomFilter loaded = filter(flag, elements.subList(0, 2).toArray(new Bytes[0]));
      ServerFilter fast = new ServerFilter(loaded);
      ServerFilter slow = new ServerFilter(loaded);
      BitSet found = new BlockMatcher().match(block, fast);
      assertThat(found).as("seed %s", seed).isEqualTo(oneByOne(block, slow));
      assertThat(fast.filter()).as("seed %s", seed).isEqualTo(slow.filter());
      matched += found.cardinality();
    }
    assertThat(matched).isBetween(100, 300 * 8);
  }

  private static Bytes random(Dice dice, List<Bytes> elements) {
    StringBuilder hex = new StringBuilder();
    for (int part = dice.below(4); part > 0; part--) {
      String element = elements.get(dice.below(elements.size())).toHex();
      String length = String.format(Locale.ROOT, "%02x", element.length() / 2);
      hex.append(
          switch (dice.below(6)) {
            case 0 -> length + element;
            case 1 -> "4c" + length + element;
            case 2 -> "4d" + length + "00" + element;
            case 3 -> "4e" + length + "000000" + element;
            case 4 -> String.format(Locale.ROOT, "%02x", dice.below(256));
            default -> element;
          });
    }
    return Bytes.ofHex(hex.toString());
  }
}
