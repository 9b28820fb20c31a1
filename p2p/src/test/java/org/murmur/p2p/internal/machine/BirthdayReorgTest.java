package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.chain.Birthday;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncFact;

/**
 * A birthday given as a date becomes a height on one branch. On another branch, with fewer blocks
 * before that date, the same height lies above the wallet's first payments.
 */
class BirthdayReorgTest {

  private static final int COMMON = 10;

  // The date of the first blocks below: the birthday is far above all of them.
  private static final long BEGIN = 1_600_000_000L;
  private static final long BORN = BEGIN + 100_000;

  private final Payments payments = new Payments();
  private final Tx payment = payments.pay(1);
  private final SimulatedNode node = new SimulatedNode();
  private final SimulatedWallet wallet = SimulatedWallet.ofEpochs(5, 50);
  private final SimulatedWorld world = new SimulatedWorld(1, wallet);
  private final NodeAddress first = world.add(node);
  private final NodeAddress second = world.add(node.twin());
  private Hash256 fork = Hash256.ZERO;

  @BeforeEach
  void slowBranch() {
    wallet.birthday = new Birthday.AtTime(Instant.ofEpochSecond(BORN));
    for (int i = 0; i < COMMON; i++) {
      node.mine(List.of());
    }
    fork = node.chain.tip();
    // Its miners' clocks lag: only the fifth block reaches the birthday.
    for (int i = 1; i < 5; i++) {
      node.mineDated(node.chain.tip(), BEGIN + 10_000 + i, List.of());
    }
    node.mineDated(node.chain.tip(), BORN, List.of());
  }

  /** More blocks, all of them dated correctly; the second one pays the wallet. */
  private void otherBranch() {
    Hash256 tip = fork;
    for (int i = 0; i < 7; i++) {
      List<Tx> paid = i == 1 ? List.of(payment) : List.of();
      tip = node.mineDated(tip, BORN + 600L * i, paid).hash();
    }
  }

  private SyncSettings settings(boolean guarded) {
    SyncSettings usual = SyncSettings.of(List.of(first, second), 1);
    return guarded
        ? usual.keyedBy(Bytes.ofHex("00".repeat(32))).preset(Preset.Private.USUAL)
        : usual;
  }

  private void assertFound() {
    assertThat(world.events).contains(new SyncFact.Complete(COMMON + 7, node.chain.tip()));
    assertThat(wallet.confirmed).containsEntry(payment.txid(), COMMON + 2);
    assertThat(wallet.birthdayHeight).hasValue(COMMON + 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void findsPaymentsOfTheOtherBranchBelowTheFirstHeight(boolean guarded) {
    world.run(settings(guarded));
    assertThat(wallet.birthdayHeight).hasValue(COMMON + 5);
    otherBranch();
    world.run(settings(guarded));
    assertFound();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void alsoWhileFollowing(boolean guarded) {
    world.later(
        60_000,
        () -> {
          otherBranch();
          world.announce(
              node, new Message.HeadersMessage(node.chain.headers(COMMON + 7, COMMON + 8)));
        });
    world.later(300_000, () -> world.post(new Input.Stop()));
    world.keepsQueue = true;
    world.run(settings(guarded).follow(true));
    assertFound();
  }

  /** Killed in the very commit that contains the reorganisation, or the one after it. */
  @Test
  void evenIfTheProcessDiesInBetween() {
    world.run(settings(false));
    otherBranch();
    for (int commit = 1; commit <= 4; commit++) {
      world.dieAtCommit = commit;
      world.run(settings(false));
    }
    world.dieAtCommit = -1;
    world.run(settings(false));
    assertFound();
  }
}
