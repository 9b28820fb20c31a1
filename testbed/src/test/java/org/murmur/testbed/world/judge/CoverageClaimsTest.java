package org.murmur.testbed.world.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.murmur.testbed.world.judge.Scenery.assertBreach;
import static org.murmur.testbed.world.judge.Scenery.peer;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.regtest.chain.Block;
import org.murmur.testbed.world.chain.ChainEvent;
import org.murmur.testbed.world.chain.ClientChain;
import org.murmur.testbed.world.chain.Economy;
import org.murmur.testbed.world.client.TestedClient;
import org.murmur.testbed.world.network.FilterSnapshot;
import org.murmur.testbed.world.plan.Guarding;
import org.murmur.testbed.world.plan.WorldOptions;
import org.murmur.testbed.world.plan.WorldPlan;

/** A client that claims more than was served to it is in breach. */
class CoverageClaimsTest {

  private static final int BIRTHDAY = WorldPlan.BASE_HEIGHT + 1;

  private final Scenery scenery = new Scenery(1, WorldPlan.Kind.HONEST);
  private final Economy economy = scenery.economy;
  private final Hash256 tip = economy.chain.tip().hash();
  private final int height = economy.chain.height();
  private final Served served = new Served();
  private final ClientChain chain = new ClientChain(economy);

  private CoverageClaims claims(ClientPreset preset) {
    return new CoverageClaims(scenery.plan, economy, served, chain, preset.duty(scenery.plan));
  }

  private CoverageClaims claims() {
    return claims(new FastPreset(scenery.plan, economy, WorldOptions.ALL));
  }

  private CoverageClaims guarded() {
    return claims(
        new GuardedPreset(Guarding.of(scenery.plan, WorldOptions.GUARDED), economy, false));
  }

  private void serve(int peer, Set<Bytes> elements, int from, int to) {
    FilterSnapshot filter = FilterSnapshot.NONE.next(Scenery.filter(elements));
    for (int at = from; at <= to; at++) {
      served.delivered(economy.chain.blockAt(at).hash(), peer(peer), filter);
    }
    served.batched(List.of());
    served.written();
  }

  private Set<Bytes> allBut(Bytes element) {
    Set<Bytes> elements = new HashSet<>(scenery.elements());
    assertThat(elements.remove(element)).isTrue();
    return elements;
  }

  private void cover(CoverageClaims claims, int nodes) {
    claims.covered(tip, height, BIRTHDAY, nodes, CoverageClaims.EVERYTHING);
  }

  @Test
  void everythingServedIsCovered() {
    serve(0, scenery.elements(), BIRTHDAY, height);
    cover(claims(), 1);
    cover(guarded(), 1);
  }

  @Test
  void nothingServedIsNotCovered() {
    assertBreach("was looked for by fewer", () -> cover(claims(), 1));
  }

  @Test
  void everyBlockCounts() {
    serve(0, scenery.elements(), BIRTHDAY, height - 1);
    assertBreach("at height " + height, () -> cover(claims(), 1));
    claims().covered(tip, height - 1, BIRTHDAY, 1, CoverageClaims.EVERYTHING);
  }

  @Test
  void everyBlockFromTheBirthdayOnCounts() {
    serve(0, scenery.elements(), BIRTHDAY + 1, height);
    assertBreach("at height " + BIRTHDAY, () -> cover(claims(), 1));
  }

  @Test
  void birthdayIsNotBehindTheFirstPayment() {
    serve(0, scenery.elements(), BIRTHDAY, height);
    assertBreach(
        "the birthday is said",
        () -> claims().covered(tip, height, BIRTHDAY + 1, 1, CoverageClaims.EVERYTHING));
  }

  @Test
  void everyScriptWithinTheGapLimitCounts() {
    Bytes first = Economy.element(economy.receiveScripts().get(0));
    Bytes change = Economy.element(economy.changeScripts().get(Scenery.GAP - 1));
    for (Bytes element : List.of(first, change)) {
      serve(0, allBut(element), BIRTHDAY, height);
      assertBreach(element.toString(), () -> cover(claims(), 1));
      served.batched(List.of(peer(0)));
      served.written();
      served.lost();
    }
  }

  @Test
  void scriptsBeyondTheGapLimitDoNotCount() {
    serve(0, allBut(Economy.element(economy.receiveScripts().get(399))), BIRTHDAY, height);
    cover(claims(), 1);
  }

  @Test
  void severalPeersCountWhereSeveralAreAskedFor() {
    serve(0, scenery.elements(), BIRTHDAY, height);
    serve(0, scenery.elements(), BIRTHDAY, height);
    assertBreach("by fewer than 2", () -> cover(claims(), 2));
    serve(1, allBut(Economy.element(economy.receiveScripts().get(0))), BIRTHDAY, height);
    assertBreach("by fewer than 2", () -> cover(claims(), 2));
    serve(1, scenery.elements(), BIRTHDAY, height);
    cover(claims(), 2);
  }

  /** A coin has to be looked for from the block that made it to the one that spends it. */
  @Test
  void everyCoinCountsUnlessAGuardWouldNeverSeeIt() {
    OutPoint spent = spentCoin();
    serve(0, allBut(spent.toBytes()), BIRTHDAY, height);
    assertBreach(spent.toBytes().toString(), () -> cover(claims(), 1));
    cover(guarded(), 1);
  }

  @Test
  void coinsOfTheTipCountUnderEachPresetUnlessTheyWaitForATick() {
    OutPoint unspent = scenery.holdings().coins().iterator().next();
    serve(0, allBut(unspent.toBytes()), BIRTHDAY, height);
    assertBreach(unspent.toBytes().toString(), () -> cover(claims(), 1));
    assertBreach(unspent.toBytes().toString(), () -> cover(guarded(), 1));
    guarded().covered(tip, height, BIRTHDAY, 1, 300);
  }

  @Test
  void coinThatIsSpentNeedNotBeLookedForAfterwards() {
    OutPoint spent = spentCoin();
    int at = BIRTHDAY;
    while (!economy.events(economy.chain.blockAt(at)).contains(new ChainEvent(spent, null))) {
      at++;
    }
    assertThat(at).isLessThan(height);
    serve(0, scenery.elements(), BIRTHDAY, at);
    serve(0, allBut(spent.toBytes()), at + 1, height);
    cover(claims(), 1);
    served.lost();
    Bytes script = Economy.element(economy.receiveScripts().get(0));
    serve(1, scenery.elements(), BIRTHDAY, at);
    serve(1, allBut(script), at + 1, height);
    assertBreach("by fewer than 2", () -> cover(claims(), 2));
  }

  private OutPoint spentCoin() {
    Set<OutPoint> made = new HashSet<>();
    for (Block block : scenery.blocks()) {
      for (ChainEvent event : economy.events(block)) {
        if (event.script() != null) {
          made.add(event.outPoint());
        } else if (made.contains(event.outPoint())) {
          return event.outPoint();
        }
      }
    }
    throw new AssertionError("nothing is spent on this chain");
  }

  // ---------------------------------------------------------------- how many saw a block

  @Test
  void blocksAreSeenByNoFewerThanTheWalletSays() {
    serve(0, scenery.elements(), BIRTHDAY, height);
    serve(1, Set.of(), BIRTHDAY, height - 1);
    claims().seenBy(tip, new TestedClient.Claims(BIRTHDAY, height, 1));
    claims().seenBy(tip, new TestedClient.Claims(BIRTHDAY, height - 1, 2));
    assertBreach(
        "every block is said to be seen by 2",
        () -> claims().seenBy(tip, new TestedClient.Claims(BIRTHDAY, height, 2)));
  }

  // ---------------------------------------------------------------- what was served

  @Test
  void unwrittenBlocksDoNotCountAsServed() {
    Hash256 block = economy.chain.blockAt(BIRTHDAY).hash();
    served.delivered(block, peer(0), FilterSnapshot.NONE);
    assertThat(served.seen(block)).isZero();
    served.batched(List.of());
    assertThat(served.seen(block)).isZero();
    served.lost();
    served.written();
    assertThat(served.seen(block)).isZero();
  }

  @Test
  void laterBlocksAreNotInABatch() {
    Hash256 block = economy.chain.blockAt(BIRTHDAY).hash();
    served.batched(List.of());
    served.delivered(block, peer(0), FilterSnapshot.NONE);
    served.written();
    assertThat(served.seen(block)).isZero();
    served.batched(List.of());
    served.written();
    assertThat(served.seen(block)).isOne();
  }

  @Test
  void discardedAnswersNoLongerCount() {
    serve(0, scenery.elements(), BIRTHDAY, height);
    serve(1, scenery.elements(), BIRTHDAY, height);
    served.batched(List.of(peer(0)));
    assertThat(served.seen(tip)).isEqualTo(2);
    served.written();
    // The newest block that came from it may have been judged after that.
    assertThat(served.seen(economy.chain.blockAt(BIRTHDAY).hash())).isOne();
  }

  @Test
  void aGrownFilterHoldsItsOldElements() {
    Set<Bytes> elements = scenery.elements();
    Bytes element = elements.iterator().next();
    FilterSnapshot small = FilterSnapshot.NONE.next(Scenery.filter(allBut(element)));
    FilterSnapshot grown = small.next(Scenery.filter(elements));
    FilterSnapshot other = grown.next(Scenery.filter(Set.of()));
    Hash256 block = economy.chain.blockAt(BIRTHDAY).hash();
    for (FilterSnapshot filter : List.of(other, small)) {
      served.delivered(block, peer(0), filter);
    }
    served.batched(List.of());
    served.written();
    BitSet wanted = new BitSet();
    wanted.set(served.number(element));
    assertThat(served.missing(wanted, block, 1)).isEqualTo(wanted);
    served.delivered(block, peer(0), grown);
    served.batched(List.of());
    served.written();
    assertThat(served.missing(wanted, block, 1).isEmpty()).isTrue();
  }
}
