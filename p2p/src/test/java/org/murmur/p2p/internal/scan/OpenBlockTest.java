package org.murmur.p2p.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.merkle.Match;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.machine.Payments;

class OpenBlockTest {

  private final Payments payments = new Payments();

  /** No block is larger than a million bytes without witness data; the rest is not kept. */
  @Test
  void holdsNoMoreThanABlockCan() {
    Tx first = large(600_000);
    Tx second = large(400_000);
    MerkleBlock proof = proof(large(100), first, second);
    OpenBlock open =
        new OpenBlock(proof, List.of(new Match(first.txid(), 1), new Match(second.txid(), 2)));
    assertThat(open.take(first)).isTrue();
    assertThat(open.take(second)).isFalse();
    assertThat(open.isWhole()).isFalse();
  }

  /** Only a coinbase stands first in a block. */
  @Test
  void takesNothingButACoinbaseAtTheFirstPlace() {
    Tx payment = large(100);
    OpenBlock open = new OpenBlock(proof(payment), List.of(new Match(payment.txid(), 0)));
    assertThat(open.take(payment)).isFalse();
    assertThat(open.isWhole()).isFalse();
  }

  private Tx large(int bytes) {
    return Payments.tx(List.of(payments.foreignCoin()), List.of(Bytes.wrap(new byte[bytes])));
  }

  private static MerkleBlock proof(Tx... transactions) {
    BitSet all = new BitSet();
    all.set(0, transactions.length);
    MerkleTree tree = MerkleTree.of(Arrays.stream(transactions).map(Tx::txid).toList());
    return MerkleBlock.of(Bytes.wrap(new byte[80]), tree.prove(all));
  }
}
