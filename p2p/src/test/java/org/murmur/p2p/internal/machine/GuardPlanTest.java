package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.FilterRole;
import org.murmur.bip37.SizeClass;
import org.murmur.bip37.UpdateFlag;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.cover.Content;
import org.murmur.p2p.internal.cover.Element;
import org.murmur.p2p.internal.pool.UnconfirmedQuery;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.sync.Obstacle;
import org.murmur.p2p.sync.Preset;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.p2p.sync.SyncFact;
import org.murmur.p2p.sync.SyncWarning;

/** The private preset in virtual time: what it sends, and what not. */
class GuardPlanTest {

  private static final Bytes KEY = Bytes.ofHex("c0ffee");

  private static Preset.Private preset() {
    return Preset.Private.USUAL;
  }

  private static SyncSettings settings(Preset.Private preset, NodeAddress... peers) {
    return SyncSettings.of(List.of(peers), 5).keyedBy(KEY).preset(preset);
  }

  private static SyncSettings settings(NodeAddress... peers) {
    return settings(preset(), peers);
  }

  private static SyncSettings following(NodeAddress... peers) {
    SyncSettings s = settings(peers);
    return s.follow(true);
  }

  /** Two nodes, and a wallet that is paid and spends without change. */
  private static final class Story {
    final SimulatedNode first = new SimulatedNode();
    final SimulatedNode second;
    final SimulatedNode third = first.twin();
    final SimulatedWallet wallet;
    final SimulatedWorld world;
    final NodeAddress a;
    final NodeAddress b;
    final NodeAddress c;
    final Payments payments = new Payments();
    final Map<Hash256, Integer> truth = new HashMap<>();

    Story() {
      this(SimulatedWallet.ofEpochs(10, 50));
    }

    Story(SimulatedWallet wallet) {
      this(wallet, true);
    }

    /** Both nodes may hold the same unconfirmed transactions, or each its own. */
    Story(SimulatedWallet wallet, boolean onePool) {
      this.second = onePool ? first.twin() : first.twinWithItsOwnPool();
      this.wallet = wallet;
      world = new SimulatedWorld(1, wallet);
      a = world.add(first);
      b = world.add(second);
      c = world.add(third);
    }

    Tx pay(int script) {
      Tx payment = payments.pay(script);
      mine(payment);
      return payment;
    }

    void sweep(Tx payment) {
      mine(Payments.tx(List.of(payment.outPoint(0)), List.of(Payments.FOREIGN)));
    }

    void mine(Tx tx) {
      first.mine(List.of(tx));
      truth.put(tx.txid(), first.chain.height());
    }

    /** Sets the age since pending transactions were first seen. */
    void seenBefore(Duration ago) {
      wallet.firstSeen = world.now().minus(ago).getEpochSecond();
    }

    /** A payment that a node holds, and that a sync has found there. */
    Tx pending(SimulatedNode node, Tx payment) {
      node.mempool.put(payment.txid(), payment);
      sync(settings(a, b));
      assertThat(isPending(payment)).isTrue();
      return payment;
    }

    boolean answersAtOnce(NodeAddress address) {
      return Objects.requireNonNull(wallet.peers.get(address)).mempoolAtOnce();
    }

    boolean isPending(Tx payment) {
      return wallet.relevant.containsKey(payment.txid())
          && !wallet.confirmed.containsKey(payment.txid())
          && !wallet.missing.contains(payment.txid());
    }

    List<SyncEvent.Warning> warnings() {
      List<SyncEvent.Warning> warnings = new ArrayList<>();
      for (SyncEvent event : world.events) {
        if (event instanceof SyncEvent.Warning warning) {
          warnings.add(warning);
        }
      }
      return warnings;
    }

    void blocks(int count) {
      for (int i = 0; i < count; i++) {
        first.mine(List.of());
      }
    }

    /** Ten payments, every other of them swept. */
    Story live() {
      for (int i = 0; i < 10; i++) {
        Tx payment = pay(i);
        blocks(3);
        if (i % 2 == 0) {
          sweep(payment);
        }
      }
      return this;
    }

    List<Message> to(NodeAddress address) {
      List<Message> messages = new ArrayList<>();
      for (Output.Send send : world.sends) {
        if (send.link().address().equals(address)) {
          messages.add(send.message());
        }
      }
      return messages;
    }

    List<Bytes> loads(NodeAddress address) {
      List<Bytes> loads = new ArrayList<>();
      for (Message message : to(address)) {
        if (message instanceof Message.FilterLoad load) {
          loads.add(load.filter().toPayload());
        }
      }
      return loads;
    }

    boolean complete() {
      return world.events.stream().anyMatch(event -> event instanceof SyncFact.Complete);
    }

    SyncFact.@Nullable NoUsablePeer noUsablePeer() {
      for (SyncEvent event : world.events) {
        if (event instanceof SyncFact.NoUsablePeer none) {
          return none;
        }
      }
      return null;
    }

    void sync(SyncSettings settings) {
      world.events.clear();
      world.run(settings);
      assertQuietly();
    }

    /** The rules for every session, whatever happened in it. */
    void assertQuietly() {
      Set<String> mempools = new LinkedHashSet<>();
      Map<Integer, Bytes> loaded = new HashMap<>();
      Map<String, Integer> next = new HashMap<>();
      for (Output.Send send : world.sends) {
        int link = send.link().id();
        Message message = send.message();
        assertThat(message)
            .isNotInstanceOf(Message.FilterAdd.class)
            .isNotInstanceOf(Message.FilterClear.class);
        if (message instanceof Message.Version version) {
          assertThat(version.startHeight()).isZero();
          assertThat(version.services()).isZero();
          assertThat(version.relay()).isFalse();
          assertThat(version.userAgent()).isEqualTo(SyncSettings.USER_AGENT);
          mempools.removeIf(key -> key.startsWith(link + " "));
          loaded.remove(link);
          next.keySet().removeIf(key -> key.startsWith(link + " "));
        } else if (message instanceof Message.Mempool) {
          String filter = Objects.requireNonNull(loaded.get(link)).toHex();
          assertThat(mempools.add(link + " " + filter)).isTrue();
        } else if (message instanceof Message.FilterLoad load) {
          assertIsOfAClass(load.filter());
          Bytes held = loaded.put(link, load.filter().toPayload());
          // Under another filter a missing answer was lost; it may be requested again.
          mempools.remove(link + " " + (held == null ? "" : held.toHex()));
        } else if (message instanceof Message.GetData ask
            && ask.items().get(0).type() == InventoryItem.FILTERED_BLOCK) {
          String key = link + " " + Objects.requireNonNull(loaded.get(link)).toHex();
          assertAscendsFromTheGrid(ask, next, key);
        }
      }
    }

    private void assertIsOfAClass(BloomFilter filter) {
      assertThat(filter.parameters().flag()).isEqualTo(UpdateFlag.NONE);
      assertThat(SizeClass.ALL)
          .anyMatch(
              size ->
                  size.bytes() == filter.parameters().bytes()
                      && size.hashFunctions() == filter.parameters().hashFunctions());
      assertThat(filter.load()).isBetween(0.45, 0.55);
    }

    private void assertAscendsFromTheGrid(
        Message.GetData ask, Map<String, Integer> next, String key) {
      int from = height(ask.items().get(0).hash());
      if (from < 0) {
        // Requested before a reorganisation.
        return;
      }
      boolean grid = from == 1 || from % Preset.Private.GRID == 0;
      if (!grid) {
        assertThat(from).isEqualTo(next.get(key));
      }
      next.put(key, from + ask.items().size());
    }

    private int height(Hash256 hash) {
      return first.chain.heightOf(hash);
    }
  }

  @Test
  void oneGuardLearnsScriptsAnotherOutpointsAndNoOtherPeerAnything() {
    Story story = new Story().live();
    story.sync(settings(story.a, story.b, story.c));
    assertThat(story.complete()).isTrue();
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
    assertThat(story.loads(story.a)).hasSize(1);
    assertThat(story.loads(story.b)).hasSize(1);
    assertThat(story.loads(story.c)).isEmpty();
    assertThat(story.to(story.c))
        .noneMatch(m -> m instanceof Message.Mempool || m instanceof Message.GetData);
    BloomFilter scripts = BloomFilter.fromPayload(story.loads(story.a).get(0));
    BloomFilter outPoints = BloomFilter.fromPayload(story.loads(story.b).get(0));
    int inScripts = 0;
    int inOutPoints = 0;
    int coins = 0;
    for (Element element : story.wallet.log) {
      boolean script = element instanceof Element.Script;
      coins += script ? 0 : 1;
      inScripts += !script && scripts.contains(element.data()) ? 1 : 0;
      inOutPoints += script && outPoints.contains(element.data()) ? 1 : 0;
      assertThat((script ? scripts : outPoints).contains(element.data())).isTrue();
    }
    assertThat(coins).isEqualTo(10);
    // By chance, once in ten thousand.
    assertThat(inScripts + inOutPoints).isLessThan(3);
  }

  @Test
  void aPeerSeesTheSameBytesAfterTenRestartsAndARestore() {
    Story story = new Story().live();
    for (int i = 0; i < 10; i++) {
      story.sync(settings(story.a, story.b));
      story.blocks(2);
      assertThat(story.complete()).isTrue();
    }
    assertThat(new LinkedHashSet<>(story.loads(story.a))).hasSize(1);
    assertThat(new LinkedHashSet<>(story.loads(story.b))).hasSize(1);
    Story restored = new Story().live();
    restored.sync(settings(restored.b, restored.a));
    assertThat(restored.loads(restored.b).get(0)).isEqualTo(story.loads(story.a).get(0));
  }

  @Test
  void anEmptyWalletLooksLikeAnyOther() {
    Story story = new Story();
    story.blocks(40);
    story.sync(settings(story.a, story.b));
    Story lively = new Story().live();
    lively.sync(settings(lively.a, lively.b));
    assertThat(story.complete()).isTrue();
    assertThat(kinds(story.to(story.a))).isEqualTo(kinds(lively.to(lively.a)));
    assertThat(kinds(story.to(story.b))).isEqualTo(kinds(lively.to(lively.b)));
  }

  /** Messages by kind and size, not by content. */
  private static List<String> kinds(List<Message> messages) {
    List<String> kinds = new ArrayList<>();
    for (Message message : messages) {
      String kind = message.getClass().getSimpleName();
      kinds.add(
          message instanceof Message.FilterLoad load
              ? kind + " " + load.filter().parameters().bytes()
              : kind);
    }
    return kinds;
  }

  /** The messages to a peer, without random numbers. */
  private static List<Object> transcript(List<Message> messages) {
    List<Object> transcript = new ArrayList<>();
    for (Message message : messages) {
      if (message instanceof Message.Ping || message instanceof Message.Pong) {
        transcript.add(message.getClass());
      } else if (message instanceof Message.Version version) {
        transcript.add(version.userAgent() + version.startHeight() + version.services());
      } else if (message instanceof Message.FilterLoad load) {
        transcript.add(load.filter().toPayload());
      } else {
        transcript.add(message);
      }
    }
    return transcript;
  }

  /**
   * The same matches, in one life real and in the other by chance: the guard of the scripts must
   * see the same, message by message, however long a disk takes to write the finds.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theGuardOfTheScriptsCannotSeeWhichMatchIsReal(boolean follow) {
    List<List<Object>> transcripts = new ArrayList<>();
    List<List<String>> outPointKinds = new ArrayList<>();
    for (boolean real : new boolean[] {true, false}) {
      Story story = new Story().live();
      story.wallet.ownsNothing = !real;
      story.world.commitMillis = real ? 29 : 3;
      if (follow) {
        Payments more = new Payments();
        for (int i = 0; i < 5; i++) {
          Tx payment = more.pay(20 + i);
          story.world.later(20_000L + 5_000L * i, () -> story.world.relay(story.first, payment));
          story.world.later(
              22_000L + 5_000L * i,
              () -> {
                var block = story.first.mine(List.of(payment));
                announce(story, block.hash());
              });
        }
        story.world.later(60_000, () -> story.world.post(new Input.Stop()));
        story.world.keepsQueue = true;
        story.sync(following(story.a, story.b));
      } else {
        story.sync(settings(story.a, story.b));
      }
      assertThat(story.wallet.relevant.isEmpty()).isEqualTo(!real);
      transcripts.add(transcript(story.to(story.a)));
      outPointKinds.add(kinds(story.to(story.b)));
    }
    assertThat(transcripts.get(0)).isEqualTo(transcripts.get(1));
    assertThat(outPointKinds.get(0)).isEqualTo(outPointKinds.get(1));
  }

  @Test
  void unconfirmedCoinsAreInNoEpoch() {
    Story story = new Story();
    story.wallet.watchesInputs = true;
    Tx proven = story.pay(4);
    // It need not be valid. Its input is there to be watched in a filter.
    Tx madeUp = story.payments.pay(3);
    story.world.keepsQueue = true;
    // The holder of the outpoints announces it, matched or not.
    story.second.mempool.put(madeUp.txid(), madeUp);
    story.world.later(
        20_000,
        () -> {
          Message inv =
              new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, madeUp.txid())));
          story.world.announce(story.first, inv);
        });
    story.world.later(
        30_000,
        () -> {
          assertThat(story.wallet.relevant).containsKey(madeUp.txid());
          story.blocks(Preset.Private.TICK);
          announce(story, story.first.chain.tip());
        });
    story.world.later(60_000, () -> story.world.post(new Input.Stop()));
    story.sync(following(story.a, story.b));
    story.world.keepsQueue = false;
    story.sync(settings(story.a, story.b));
    assertThat(story.complete()).isTrue();
    List<BloomFilter> epochs =
        new LinkedHashSet<>(story.loads(story.b)).stream().map(BloomFilter::fromPayload).toList();
    assertThat(epochs).hasSize(1);
    assertThat(epochs.get(0).contains(proven.outPoint(0).toBytes())).isTrue();
    assertThat(story.wallet.log)
        .anyMatch(e -> e instanceof Element.PendingInput)
        .anyMatch(e -> e.data().equals(madeUp.outPoint(0).toBytes()));
    // Once a block holds it, it is a coin like any other.
    story.mine(madeUp);
    story.sync(settings(story.a, story.b));
    List<Bytes> loads = story.loads(story.b);
    BloomFilter last = BloomFilter.fromPayload(loads.get(loads.size() - 1));
    assertThat(new LinkedHashSet<>(loads)).hasSize(2);
    assertThat(last.contains(madeUp.outPoint(0).toBytes())).isTrue();
  }

  /**
   * A block comes while the guard of the outpoints is at work: the client does not act on its
   * content.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBlockThatComesAfterTheTickWaitsForTheNextSession(boolean pays) {
    Story story = new Story().live();
    story.blocks(3_000);
    story.world.delays.put(story.b, 3_000);
    int tip = story.first.chain.height();
    Tx payment = story.payments.pay(33);
    story.world.onSend =
        message -> {
          boolean asked = message instanceof Message.GetData && !story.loads(story.b).isEmpty();
          if (asked && story.first.chain.height() == tip) {
            SimulatedNode.Block block = story.first.mine(pays ? List.of(payment) : List.of());
            announce(story, block.hash());
          }
        };
    story.sync(settings(story.a, story.b));
    assertThat(story.first.chain.height()).isEqualTo(tip + 1);
    assertThat(story.wallet.headers).hasSize(tip + 1);
    assertThat(story.loads(story.b)).hasSize(1);
    assertThat(story.world.events)
        .contains(new SyncFact.Complete(tip, story.first.chain.hashAt(tip)));
    assertThat(story.wallet.relevant).doesNotContainKey(payment.txid());
    story.sync(settings(story.a, story.b));
    assertThat(story.wallet.relevant.containsKey(payment.txid())).isEqualTo(pays);
    assertThat(new LinkedHashSet<>(story.loads(story.b))).hasSize(pays ? 2 : 1);
  }

  /** The process dies at every commit in turn: the start of a scan reveals no coin. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void anInterruptedFirstPassBeginsAtTheBirthday(int commit) {
    Story story = new Story();
    story.blocks(2_500);
    story.pay(3);
    story.blocks(20);
    story.world.dieAtCommit = commit;
    story.sync(settings(story.a, story.b));
    story.world.dieAtCommit = -1;
    story.sync(settings(story.a, story.b));
    assertThat(story.complete()).isTrue();
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
    assertThat(askedFirst(story, story.b)).isEqualTo(1);
  }

  /** The lowest block that was ever requested from a guard. */
  private static int askedFirst(Story story, NodeAddress address) {
    int first = Integer.MAX_VALUE;
    for (Message message : story.to(address)) {
      if (message instanceof Message.GetData ask
          && ask.items().get(0).type() == InventoryItem.FILTERED_BLOCK) {
        first = Math.min(first, story.first.chain.heightOf(ask.items().get(0).hash()));
      }
    }
    return first;
  }

  @Test
  void whileFollowingCompleteIsReportedBeforeTheNextTick() {
    Story story = new Story().live();
    story.world.keepsQueue = true;
    story.world.later(
        30_000,
        () -> {
          story.pay(25);
          announce(story, story.first.chain.tip());
        });
    story.world.later(60_000, () -> story.world.post(new Input.Stop()));
    story.sync(following(story.a, story.b));
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
    assertThat(story.world.events)
        .contains(new SyncFact.Complete(story.first.chain.height(), story.first.chain.tip()))
        .anyMatch(event -> event instanceof SyncEvent.MempoolAnswered);
  }

  private static void announce(Story story, Hash256 block) {
    Message inv = new Message.Inv(List.of(new InventoryItem(InventoryItem.BLOCK, block)));
    story.world.announce(story.first, inv);
    story.world.announce(story.second, inv);
  }

  /**
   * What it announces long after its answer is new, whatever it is: its silence had denied nothing.
   */
  @ParameterizedTest
  @CsvSource({"40, false", "90, true"})
  void aGuardThatAnswersAtOnceMayAnnounceWhatIsNew(int seconds, boolean stays) {
    Story story = new Story().live();
    story.sync(settings(story.a, story.b));
    assertThat(story.answersAtOnce(story.a)).isTrue();
    story.world.keepsQueue = true;
    story.world.later(
        seconds * 1_000L, () -> story.world.relay(story.first, story.payments.pay(3)));
    story.world.later(120_000, () -> story.world.post(new Input.Stop()));
    story.sync(following(story.a, story.b));
    assertThat(story.answersAtOnce(story.a)).isEqualTo(stays);
  }

  @Test
  void guardsAreKeptWhateverTheOrder() {
    Story story = new Story().live();
    story.sync(settings(story.a, story.b, story.c));
    story.blocks(5);
    story.sync(settings(story.c, story.b, story.a));
    assertThat(story.complete()).isTrue();
    assertThat(story.loads(story.c)).isEmpty();
    assertThat(new LinkedHashSet<>(story.loads(story.a)))
        .doesNotContainAnyElementsOf(story.loads(story.b))
        .hasSize(1);
  }

  /**
   * Each connection begins on the grid: calling a peer that breaks each connection gains nothing.
   */
  @Test
  void aGuardThatBreaksEveryConnectionIsGivenUp() {
    Story story = new Story();
    story.blocks(1_500);
    story.world.blocksPerSecond = 20_000;
    story.world.onSend =
        message -> {
          if (message instanceof Message.GetData) {
            // Half of the blocks requested on each connection come.
            story.world.later(40, () -> story.world.hangUp(story.first));
          }
        };
    story.world.limit = Duration.ofMinutes(10);
    story.sync(settings(story.a, story.b));
    assertThat(story.complete()).isFalse();
    assertThat(Objects.requireNonNull(story.noUsablePeer()).missing())
        .contains(new SyncWarning.GuardAbsent(FilterRole.SCRIPTS, story.a, true));
  }

  /** Fewer connections than named peers: the guards must be among the connected ones. */
  @Test
  void aGuardGetsItsConnectionHoweverFewThereAre() {
    Story story = new Story().live();
    story.sync(settings(story.a, story.b));
    story.blocks(5);
    SyncSettings few = settings(story.c, story.b, story.a);
    story.sync(few.peers(who -> who.connections(2)));
    assertThat(story.complete()).isTrue();
    assertThat(story.to(story.c)).isEmpty();
  }

  @Test
  void noPeerTakesTheSlotOfALostGuard() {
    Story story = new Story().live();
    story.world.keepsQueue = true;
    story.world.later(20_000, () -> story.world.hangUp(story.first));
    story.world.later(
        60_000,
        () -> {
          story.pay(25);
          announce(story, story.first.chain.tip());
        });
    story.world.later(120_000, () -> story.world.post(new Input.Stop()));
    SyncSettings few = following(story.a, story.b, story.c);
    story.sync(few.peers(who -> who.connections(2)));
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
    assertThat(story.to(story.c)).isEmpty();
  }

  @Test
  void aGuardThatIsNotThereIsNotReplacedUnasked() {
    Story story = new Story().live();
    story.sync(settings(story.a, story.b));
    story.blocks(5);
    story.sweep(story.pay(30));
    int before = story.wallet.confirmed.size();
    story.world.unreachable.add(story.a);
    story.sync(settings(story.a, story.b, story.c));
    assertThat(story.complete()).isFalse();
    assertThat(story.loads(story.c)).isEmpty();
    SyncFact.NoUsablePeer none = Objects.requireNonNull(story.noUsablePeer());
    assertThat(none.kind()).isEqualTo(Obstacle.Kind.NO_GUARD);
    assertThat(none.missing())
        .contains(new SyncWarning.GuardAbsent(FilterRole.SCRIPTS, story.a, true));
    story.sync(settings(story.b, story.c));
    assertThat(Objects.requireNonNull(story.noUsablePeer()).missing())
        .contains(new SyncWarning.GuardAbsent(FilterRole.SCRIPTS, story.a, false));
    assertThat(story.loads(story.c)).isEmpty();
    assertThat(story.wallet.confirmed).hasSize(before);
    Preset.Private dismissing = new Preset.Private(SizeClass.THRIFTY, false, Set.of(story.a), 0);
    story.sync(settings(dismissing, story.b, story.c));
    assertThat(story.complete()).isTrue();
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
    assertThat(story.loads(story.c).get(0)).isEqualTo(story.loads(story.a).get(0));
    story.sync(settings(story.c, story.b));
    assertThat(story.complete()).isTrue();
  }

  @Test
  void onePeerIsRefusedWithoutTheOption() {
    Story story = new Story().live();
    story.sync(settings(story.a));
    assertThat(story.complete()).isFalse();
    assertThat(Objects.requireNonNull(story.noUsablePeer()).missing())
        .contains(new SyncWarning.NobodyToGuard(FilterRole.OUTPOINTS, false));
    assertThat(story.loads(story.a)).isEmpty();
    story.second.services = 0;
    story.sync(settings(story.a, story.b));
    assertThat(story.loads(story.a)).isEmpty();
    assertThat(story.complete()).isFalse();
    Preset.Private one = Preset.Private.USUAL.onePeer(true);
    story.sync(settings(one, story.a));
    assertThat(story.complete()).isTrue();
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
    // Blocks under the scripts and under the outpoints, then the memory pool in the same order.
    List<Bytes> loads = story.loads(story.a);
    assertThat(loads).hasSize(4);
    assertThat(loads.subList(2, 4)).isEqualTo(loads.subList(0, 2)).doesNotHaveDuplicates();
  }

  /** The single guard held the outpoints when it was asked, and so announced no payments. */
  @ParameterizedTest
  @CsvSource({"false, true", "false, false", "true, true"})
  void aSingleGuardAnnouncesPaymentsAndSpends(boolean follow, boolean tellsEmpty) {
    Story story = new Story().live();
    Tx coin = story.pay(30);
    Preset.Private one = Preset.Private.USUAL.onePeer(true);
    story.sync(settings(one, story.a));
    story.first.tellsEmptyMempool = tellsEmpty;
    Tx payment = story.payments.pay(33);
    Tx spend = Payments.tx(List.of(coin.outPoint(0)), List.of(Payments.FOREIGN));
    Tx late = story.payments.pay(34);
    story.first.mempool.put(payment.txid(), payment);
    story.first.mempool.put(spend.txid(), spend);
    if (follow) {
      story.world.later(120_000, () -> story.world.relay(story.first, late));
      story.world.later(200_000, () -> story.world.post(new Input.Stop()));
      story.world.keepsQueue = true;
    }
    story.sync(settings(one, story.a).follow(follow));
    assertThat(story.isPending(payment)).isTrue();
    assertThat(story.isPending(spend)).isTrue();
    assertThat(story.isPending(late)).isEqualTo(follow);
    // A dropped transaction is missed under the filter that would have matched it.
    story.first.mempool.clear();
    story.wallet.firstSeen = story.world.now().minus(Duration.ofHours(1)).getEpochSecond();
    story.first.tellsEmptyMempool = true;
    story.sync(settings(one, story.a));
    assertThat(story.isPending(payment)).isFalse();
    assertThat(story.isPending(spend)).isFalse();
  }

  /**
   * A block made the guard hold another filter before its answer was complete, and no more was
   * asked.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 30, 90, 150})
  void aBlockWhileASingleGuardAnswersCostsNoAnswer(int blockAfter) {
    Story story = new Story().live();
    Tx coin = story.pay(30);
    Preset.Private one = Preset.Private.USUAL.onePeer(true);
    story.first.tellsEmptyMempool = false;
    Tx gone = story.payments.pay(32);
    story.first.mempool.put(gone.txid(), gone);
    story.sync(settings(one, story.a));
    assertThat(story.isPending(gone)).isTrue();
    story.first.mempool.clear();
    story.wallet.peers.clear();
    story.seenBefore(Duration.ofHours(1));
    Tx spend = Payments.tx(List.of(coin.outPoint(0)), List.of(Payments.FOREIGN));
    story.first.mempool.put(spend.txid(), spend);
    if (blockAfter > 0) {
      story.world.later(
          blockAfter * 1_000L,
          () -> {
            story.blocks(1);
            announce(story, story.first.chain.tip());
          });
    }
    story.world.later(1_800_000, () -> story.world.post(new Input.Stop()));
    story.world.keepsQueue = true;
    story.sync(settings(one, story.a).follow(true));
    assertThat(story.isPending(spend)).isTrue();
    assertThat(story.isPending(gone)).isFalse();
    long asked = story.to(story.a).stream().filter(Message.Mempool.class::isInstance).count();
    assertThat(asked).as("with the session before").isBetween(3L, 5L);
  }

  @Test
  void theFirstTwoThatServeAreChosen() {
    Story story = new Story().live();
    story.first.services = 0;
    story.sync(settings(story.a, story.b, story.c));
    assertThat(story.complete()).isTrue();
    assertThat(story.loads(story.a)).isEmpty();
    assertThat(story.loads(story.b)).hasSize(1);
    assertThat(story.loads(story.c)).hasSize(1);
    assertThat(story.wallet.loads.values())
        .anyMatch(
            load ->
                load.peer().equals(story.b)
                    && load.content() instanceof Content.Epoch epoch
                    && epoch.role() == FilterRole.SCRIPTS);
  }

  @Test
  void aPeerThatLeavesWithoutAFilterWasNoGuard() {
    Story story = new Story().live();
    story.first.mute = true;
    story.sync(settings(story.a, story.b, story.c));
    assertThat(story.complete()).isTrue();
    assertThat(story.loads(story.a)).isEmpty();
    assertThat(story.loads(story.b)).hasSize(1);
    assertThat(story.loads(story.c)).hasSize(1);
  }

  @Test
  void scansBeginOnTheGrid() {
    Story story = new Story();
    story.blocks(2_500);
    story.sync(settings(story.a, story.b));
    story.pay(3);
    story.blocks(20);
    int before = story.world.sends.size();
    story.sync(settings(story.a, story.b));
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
    Set<Integer> firsts = new LinkedHashSet<>();
    for (Output.Send send : story.world.sends.subList(before, story.world.sends.size())) {
      if (send.message() instanceof Message.GetData ask
          && ask.items().get(0).type() == InventoryItem.FILTERED_BLOCK) {
        firsts.add(story.first.chain.heightOf(ask.items().get(0).hash()));
      }
    }
    assertThat(firsts).containsExactly(2_016, 2_516);
  }

  @Test
  void aSlowGuardIsAskedForEachBlockOnce() {
    Story story = new Story();
    story.pay(1);
    story.sync(settings(story.a, story.b));
    story.blocks(2_600);
    int before = story.world.sends.size();
    story.world.delays.put(story.b, 400);
    story.sync(settings(story.a, story.b));
    assertThat(story.complete()).isTrue();
    Map<NodeAddress, Integer> asked = new HashMap<>();
    for (Output.Send send : story.world.sends.subList(before, story.world.sends.size())) {
      if (send.message() instanceof Message.GetData ask) {
        asked.merge(send.link().address(), ask.items().size(), Integer::sum);
      }
    }
    assertThat(asked).containsOnly(Map.entry(story.a, 2_601), Map.entry(story.b, 2_601));
  }

  @Test
  void keysNearTheBorderOpenAnEpochAndNotASecondTime() {
    Story story = new Story();
    story.pay(45);
    story.blocks(3);
    Tx late = story.pay(60);
    story.blocks(3);
    story.sweep(late);
    story.sync(settings(story.a, story.b));
    assertThat(story.complete()).isTrue();
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
    assertThat(story.loads(story.a)).hasSize(2).doesNotHaveDuplicates();
    List<BloomFilter> filters =
        story.loads(story.a).stream().map(BloomFilter::fromPayload).toList();
    int inBoth = 0;
    for (Element element : story.wallet.log) {
      if (element instanceof Element.Script script) {
        assertThat(filters.get(script.epoch()).contains(script.data())).isTrue();
        inBoth += filters.get(1 - script.epoch()).contains(script.data()) ? 1 : 0;
      }
    }
    assertThat(inBoth).isLessThan(3);
    story.blocks(1);
    story.sync(settings(story.a, story.b));
    assertThat(new LinkedHashSet<>(story.loads(story.a))).hasSize(2);
  }

  @Test
  void coinsFoundLaterGoIntoTheNextEpochAndOldOnesStayWhereTheyAre() {
    Story story = new Story();
    Tx early = story.pay(1);
    story.sync(settings(story.a, story.b));
    Tx late = story.pay(2);
    story.sync(settings(story.a, story.b));
    assertThat(story.complete()).isTrue();
    story.sweep(early);
    story.sweep(late);
    story.sync(settings(story.a, story.b));
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
    List<BloomFilter> epochs =
        new LinkedHashSet<>(story.loads(story.b)).stream().map(BloomFilter::fromPayload).toList();
    assertThat(epochs).hasSize(2);
    assertThat(epochs.get(0).contains(early.outPoint(0).toBytes())).isTrue();
    assertThat(epochs.get(1).contains(late.outPoint(0).toBytes())).isTrue();
    assertThat(epochs.get(1).contains(early.outPoint(0).toBytes())).isFalse();
    // Both coins are spent: only the newest epoch is still requested.
    int before = story.loads(story.b).size();
    story.blocks(1);
    story.sync(settings(story.a, story.b));
    assertThat(story.loads(story.b).subList(before, story.loads(story.b).size())).hasSize(1);
  }

  @Test
  void ourTransactionIsNotSentToAFilterHolder() {
    Story story = new Story().live();
    Tx ours = story.payments.pay(33);
    story.world.later(20_000, () -> story.world.post(new Input.BroadcastTx(ours)));
    story.world.later(40_000, () -> story.world.post(new Input.Stop()));
    story.world.keepsQueue = true;
    story.sync(following(story.a, story.b, story.c));
    Message inv = new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, ours.txid())));
    assertThat(story.to(story.c)).contains(inv);
    assertThat(story.to(story.a)).doesNotContain(inv);
    assertThat(story.to(story.b)).doesNotContain(inv);
  }

  /** A peer that learned of it before it became a guard could tell whose filter it holds. */
  @Test
  void aTransactionOfOursIsHeldBackUntilTheGuardsHoldTheirFilters() {
    Story story = new Story().live();
    Tx ours = story.payments.pay(33);
    story.world.later(1, () -> story.world.post(new Input.BroadcastTx(ours)));
    story.world.later(40_000, () -> story.world.post(new Input.Stop()));
    story.world.keepsQueue = true;
    story.sync(following(story.a, story.b, story.c));
    Message inv = new Message.Inv(List.of(new InventoryItem(InventoryItem.TX, ours.txid())));
    assertThat(story.loads(story.b)).isNotEmpty();
    assertThat(story.to(story.a)).doesNotContain(inv);
    assertThat(story.to(story.b)).doesNotContain(inv);
    assertThat(story.to(story.c)).containsOnlyOnce(inv);
  }

  /**
   * A request for our transaction reveals that it is ours, so only peers without a filter may
   * request it. They are asked whether they accepted it, which tells them nothing new.
   */
  @Test
  void aGuardThatAsksForATransactionOfOursDoesNotGetItAndIsNotAskedForIt() {
    Story story = new Story().live();
    Tx ours = story.payments.pay(33);
    List<InventoryItem> named = List.of(new InventoryItem(InventoryItem.TX, ours.txid()));
    List<InventoryItem> withWitness =
        List.of(new InventoryItem(InventoryItem.WITNESS_TX, ours.txid()));
    story.world.later(20_000, () -> story.world.post(new Input.BroadcastTx(ours)));
    for (SimulatedNode node : List.of(story.first, story.second, story.third)) {
      story.world.later(30_000, () -> story.world.announce(node, new Message.GetData(named)));
    }
    story.world.later(40_000, () -> story.world.post(new Input.Stop()));
    story.world.keepsQueue = true;
    story.sync(following(story.a, story.b, story.c));
    assertThat(story.to(story.c))
        .contains(new Message.TxMessage(ours), new Message.GetData(withWitness))
        .doesNotContain(new Message.NotFound(named));
    for (NodeAddress guard : List.of(story.a, story.b)) {
      assertThat(story.to(guard))
          .contains(new Message.NotFound(named))
          .doesNotContain(new Message.TxMessage(ours), new Message.GetData(named));
    }
  }

  @Test
  void aGuardThatSendsImpossibleMatchesIsDropped() {
    Story story = new Story().live();
    story.second.injects = true;
    story.sync(settings(story.a, story.b));
    assertThat(story.world.events)
        .anyMatch(
            event ->
                event instanceof SyncEvent.PeerLost lost
                    && lost.reason() == DisconnectReason.NOT_MATCHING);
    assertThat(story.complete()).isFalse();
  }

  @Test
  void nothingIsComparedUnderThePrivatePreset() {
    assertThat(preset().compares()).isFalse();
    assertThat(preset().verify()).isEqualTo(1);
    assertThat(settings().toString()).doesNotContain("c0ffee");
  }

  @Test
  void whileFollowingANewEpochWaitsForTheNextTick() {
    Story story = new Story().live();
    int base = story.first.chain.height();
    SimulatedWorld world = story.world;
    world.keepsQueue = true;
    Tx[] payment = new Tx[1];
    world.later(
        30_000,
        () -> {
          payment[0] = story.pay(25);
          announce(story, story.first.chain.tip());
        });
    world.later(
        40_000,
        () -> {
          // It is known, but no guard holds its outpoint.
          assertThat(story.wallet.confirmed).containsKey(payment[0].txid());
          assertThat(new LinkedHashSet<>(story.loads(story.b))).hasSize(1);
          story.sweep(payment[0]);
          announce(story, story.first.chain.tip());
        });
    world.later(
        50_000,
        () -> {
          assertThat(story.wallet.confirmed).hasSize(story.truth.size() - 1);
          story.blocks(Preset.Private.TICK - base);
          announce(story, story.first.chain.tip());
        });
    world.later(80_000, () -> world.post(new Input.Stop()));
    story.sync(following(story.a, story.b));
    assertThat(new LinkedHashSet<>(story.loads(story.b))).hasSize(2);
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
  }

  /** The reason for an epoch's end leaves the chain, and is in a later block of the new one. */
  @Test
  void whileFollowingAReorganisationOpensAnEpochThatWasOver() {
    Story story = new Story();
    Tx coin = story.pay(1);
    story.blocks(Preset.Private.TICK - 7 - story.first.chain.height());
    SimulatedWorld world = story.world;
    world.keepsQueue = true;
    world.delays.put(story.b, 1_500);
    Tx sweep = Payments.tx(List.of(coin.outPoint(0)), List.of(Payments.FOREIGN));
    world.later(
        30_000,
        () -> {
          story.pay(25);
          story.blocks(3);
          story.mine(sweep);
          story.blocks(Preset.Private.TICK - story.first.chain.height());
          announce(story, story.first.chain.tip());
        });
    world.later(
        60_000,
        () -> {
          assertThat(story.wallet.confirmed).isEqualTo(story.truth);
          assertThat(new LinkedHashSet<>(story.loads(story.b))).hasSize(2);
          int fork = Objects.requireNonNull(story.truth.get(sweep.txid())) - 1;
          Hash256 parent = story.first.chain.hashAt(fork);
          for (int i = 1; i <= 6; i++) {
            List<Tx> mined = i == 2 ? List.of(sweep) : List.of();
            parent = story.first.mineOn(parent, fork + i - 1, mined).hash();
          }
          story.truth.put(sweep.txid(), fork + 2);
          announce(story, story.first.chain.tip());
        });
    world.later(120_000, () -> world.post(new Input.Stop()));
    story.sync(following(story.a, story.b));
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
  }

  @Test
  void aTransactionThatAGuardShouldAnnounceAndDoesNotIsMissing() {
    Story story = new Story();
    story.pay(1);
    Tx payment = story.pending(story.first, story.payments.pay(2));
    story.first.mempool.clear();
    int before = story.world.sends.size();
    story.seenBefore(Duration.ofHours(1));
    story.sync(settings(story.a, story.b));
    assertThat(story.wallet.missing).containsExactly(payment.txid());
    assertThat(story.warnings()).isEmpty();
    assertThat(story.world.sends.subList(before, story.world.sends.size()))
        .noneMatch(
            send ->
                send.message() instanceof Message.GetData ask
                    && ask.items().get(0).type() != InventoryItem.FILTERED_BLOCK);
    // A peer that has it again announces it.
    story.first.mempool.put(payment.txid(), payment);
    story.sync(settings(story.a, story.b));
    assertThat(story.isPending(payment)).isTrue();
  }

  /** It cannot be younger than it seems: it was seen under a clock that ran ahead. */
  @Test
  void transactionsSeenInTheFutureAreDoubtedToo() {
    Story story = new Story();
    story.pay(1);
    Tx payment = story.pending(story.first, story.payments.pay(2));
    story.first.mempool.clear();
    story.seenBefore(Duration.ofDays(-30));
    story.sync(settings(story.a, story.b));
    assertThat(story.wallet.missing).containsExactly(payment.txid());
  }

  @Test
  void youngTransactionsMayNotHaveReachedAGuard() {
    Story story = new Story();
    story.pay(1);
    Tx payment = story.pending(story.first, story.payments.pay(2));
    story.first.mempool.clear();
    story.seenBefore(Input.Pending.YOUNG.minusSeconds(60));
    story.sync(settings(story.a, story.b));
    assertThat(story.isPending(payment)).isTrue();
    assertThat(story.warnings()).isEmpty();
  }

  /** A coin goes to a foreign script, some of it comes back. */
  private static Tx spend(Tx coin, int change) {
    return Payments.tx(
        List.of(coin.outPoint(0)), List.of(Payments.FOREIGN, SimulatedWallet.script(change)));
  }

  @Test
  void aTransactionOfOneGuardIsNotMissing() {
    Story story = new Story(SimulatedWallet.ofEpochs(10, 50), false);
    Tx spent = spend(story.pay(1), 2);
    story.second.mempool.put(spent.txid(), spent);
    story.pending(story.first, spent);
    story.seenBefore(Duration.ofHours(1));
    // The guard of the scripts would announce it; that of the outpoints does.
    story.first.mempool.clear();
    story.sync(settings(story.a, story.b));
    assertThat(story.isPending(spent)).isTrue();
    assertThat(story.warnings()).isEmpty();
    story.second.mempool.clear();
    story.sync(settings(story.a, story.b));
    assertThat(story.wallet.missing).containsExactly(spent.txid());
  }

  @Test
  void anUnmatchedTransactionIsReportedAndGivenUpAtTheAgeWhenNodesDropIt() {
    Story story = new Story();
    Tx old = story.pay(1);
    Tx swept = Payments.tx(List.of(old.outPoint(0)), List.of(Payments.FOREIGN));
    story.sync(settings(story.a, story.b));
    story.pending(story.first, swept);
    // From now on another epoch is the newest: no peer keeps a filter that holds the coin.
    story.pay(2);
    story.first.mempool.clear();
    story.seenBefore(UnconfirmedQuery.EXPIRY.minusHours(1));
    story.sync(settings(story.a, story.b));
    assertThat(story.isPending(swept)).isTrue();
    assertThat(story.warnings())
        .containsExactly(new SyncWarning.PaymentsUnchecked(1, Duration.ofDays(14)));
    story.seenBefore(UnconfirmedQuery.EXPIRY);
    story.sync(settings(story.a, story.b));
    assertThat(story.wallet.missing).containsExactly(swept.txid());
    assertThat(story.warnings()).isEmpty();
  }

  /** Its age is unknown, and it would count for years. */
  @Test
  void anUnmatchedTransactionSeenInTheFarFutureIsGivenUp() {
    Story story = new Story();
    Tx old = story.pay(1);
    Tx swept = Payments.tx(List.of(old.outPoint(0)), List.of(Payments.FOREIGN));
    story.sync(settings(story.a, story.b));
    story.pending(story.first, swept);
    story.pay(2);
    story.first.mempool.clear();
    story.seenBefore(Duration.ofDays(-400));
    story.sync(settings(story.a, story.b));
    assertThat(story.wallet.missing).containsExactly(swept.txid());
  }

  @Test
  void aGuardThatSpreadsItsNewsIsBelievedAfterAMinute() {
    Story story = new Story();
    story.pay(1);
    Tx payment = story.pending(story.first, story.payments.pay(2));
    story.first.mempool.clear();
    story.first.spreads = true;
    story.second.spreads = true;
    story.wallet.peers.clear();
    story.seenBefore(Duration.ofHours(1));
    story.sync(settings(story.a, story.b));
    assertThat(story.isPending(payment)).isTrue();
    assertThat(story.warnings()).singleElement().isInstanceOf(SyncWarning.PaymentsUnchecked.class);
    story.world.keepsQueue = true;
    story.world.later(50_000, () -> assertThat(story.isPending(payment)).isTrue());
    story.world.later(70_000, () -> assertThat(story.isPending(payment)).isFalse());
    story.world.later(80_000, () -> story.world.post(new Input.Stop()));
    story.sync(following(story.a, story.b));
    assertThat(story.wallet.missing).containsExactly(payment.txid());
  }

  @Test
  void aLostGuardMayBeLoadingItsMempool() {
    Story story = new Story();
    story.pay(1);
    Tx payment = story.pending(story.first, story.payments.pay(2));
    story.seenBefore(Duration.ofHours(1));
    story.world.keepsQueue = true;
    story.world.later(
        20_000,
        () -> {
          story.first.mempool.clear();
          story.world.hangUp(story.first);
        });
    story.world.later(200_000, () -> story.world.post(new Input.Stop()));
    story.sync(following(story.a, story.b));
    assertThat(story.isPending(payment)).isTrue();
    story.world.keepsQueue = false;
    story.sync(settings(story.a, story.b));
    assertThat(story.isPending(payment)).isFalse();
  }

  /** A transaction is missing, or none: the guards see the same, and for as long. */
  @Test
  void noGuardSeesThatATransactionIsMissing() {
    List<List<Object>> transcripts = new ArrayList<>();
    List<Duration> lasted = new ArrayList<>();
    for (boolean real : new boolean[] {true, false}) {
      Story story = new Story();
      story.pay(1);
      story.wallet.ownsNothing = !real;
      story.world.commitMillis = 40;
      Tx payment = story.payments.pay(2);
      story.first.mempool.put(payment.txid(), payment);
      story.sync(settings(story.a, story.b));
      story.first.mempool.clear();
      story.seenBefore(Duration.ofHours(1));
      story.world.sends.clear();
      Instant begun = story.world.now();
      story.sync(settings(story.a, story.b));
      assertThat(story.wallet.missing).hasSize(real ? 1 : 0);
      transcripts.add(transcript(story.to(story.a)));
      lasted.add(Duration.between(begun, story.world.partedAt));
    }
    assertThat(transcripts.get(0)).isEqualTo(transcripts.get(1));
    assertThat(lasted.get(0)).isEqualTo(lasted.get(1));
  }

  @Property(tries = 60)
  void randomLivesAreFoundInSpiteOfLossCrashesAndReorganisations(@ForAll long seed) {
    Random random = new Random(seed);
    RandomLife life = new RandomLife(random, 8);
    Story story = new Story(SimulatedWallet.ofEpochs(8, 25));
    SimulatedWorld world = new SimulatedWorld(seed, story.wallet);
    SimulatedNode second = life.node.twin();
    NodeAddress a = world.add(life.node);
    NodeAddress b = world.add(second);
    for (int round = 0; round < 4; round++) {
      for (int i = random.nextInt(40); i >= 0; i--) {
        life.block();
      }
      world.lossPerMessage = random.nextInt(3) == 0 ? 0.004 : 0;
      world.dieAtCommit = random.nextInt(3) == 0 ? 1 + random.nextInt(8) : -1;
      boolean whole = world.run(settings(a, b));
      if (whole && world.lossPerMessage == 0) {
        assertThat(story.wallet.confirmed).as("seed %d", seed).isEqualTo(life.truth);
      }
    }
    world.lossPerMessage = 0;
    world.dieAtCommit = -1;
    world.events.clear();
    world.run(settings(a, b));
    assertThat(world.events)
        .as("seed %d", seed)
        .anyMatch(event -> event instanceof SyncFact.Complete);
    assertThat(story.wallet.confirmed).as("seed %d", seed).isEqualTo(life.truth);
    assertThat(filtersOf(world, a))
        .as("seed %d", seed)
        .doesNotContainAnyElementsOf(filtersOf(world, b));
  }

  private static Set<Bytes> filtersOf(SimulatedWorld world, NodeAddress address) {
    Set<Bytes> filters = new LinkedHashSet<>();
    for (Output.Send send : world.sends) {
      if (send.link().address().equals(address)
          && send.message() instanceof Message.FilterLoad load) {
        filters.add(load.filter().toPayload());
      }
    }
    return filters;
  }

  @Test
  void aReorganisationIsScannedFromTheGridOn() {
    Story story = new Story().live();
    story.sync(settings(story.a, story.b));
    int fork = story.first.chain.height() - 4;
    Hash256 parent = story.first.chain.hashAt(fork);
    Tx paid = story.payments.pay(40);
    story.truth.values().removeIf(height -> height > fork);
    for (int i = 0; i < 8; i++) {
      SimulatedNode.Block block =
          story.first.mineOn(parent, fork + i, i == 2 ? List.of(paid) : List.of());
      parent = block.hash();
    }
    story.truth.put(paid.txid(), fork + 3);
    story.sync(settings(story.a, story.b));
    assertThat(story.complete()).isTrue();
    assertThat(story.wallet.confirmed).isEqualTo(story.truth);
    assertThat(Duration.ofHours(2)).isGreaterThan(story.world.elapsed());
  }

  /** Each matches guard A's filter, and is written before the next one is there. */
  @Test
  void paymentsThatComeFasterThanTheyAreWrittenHoldUpNoTick() {
    Story story = new Story(SimulatedWallet.ofEpochs(10, 50), false);
    story.pay(2);
    story.blocks(30);
    for (int i = 5; i < 3_000; i++) {
      story.world.later(10L * i, () -> story.world.relay(story.first, story.payments.pay(2)));
    }
    story.world.keepsQueue = true;
    story.world.commitMillis = 20;
    story.world.delays.put(story.b, 300);
    story.world.run(
        settings(story.a, story.b).limits(limits -> limits.mempoolWait(Duration.ofSeconds(10))));
    assertThat(story.world.events).anyMatch(SyncFact.Complete.class::isInstance);
    assertThat(story.world.elapsed()).isLessThan(Duration.ofSeconds(20));
  }
}
