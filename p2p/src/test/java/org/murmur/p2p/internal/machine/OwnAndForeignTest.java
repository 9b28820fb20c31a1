package org.murmur.p2p.internal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.murmur.bip37.BloomFilter;
import org.murmur.bip37.bytes.ByteWriter;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.bip37.bytes.OutPoint;
import org.murmur.bip37.merkle.MerkleBlock;
import org.murmur.bip37.merkle.MerkleTree;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.internal.sync.Input;
import org.murmur.p2p.internal.sync.Output;
import org.murmur.p2p.internal.sync.SyncSettings;
import org.murmur.p2p.internal.wire.Headers;
import org.murmur.p2p.internal.wire.InventoryItem;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.p2p.sync.Preset;

/**
 * A peer that holds our filter suspects that a transaction is ours. It sends whatever the protocol
 * has, and watches what we do. In one life the transaction is the wallet's, in the other one it
 * matches the same filter by chance: the peer must see the same, byte by byte, at the same times.
 */
class OwnAndForeignTest {

  /** How often a message is said at once. */
  private static final int TIMES = 21;

  private static final int MIXTURES = Integer.getInteger("murmur.mixtures", 2);

  /** What the peer says about a transaction. */
  private interface Move {
    List<Message> of(Stage stage, Tx suspect);
  }

  /** By every kind of message. */
  private static final Map<Class<? extends Message>, Move> MOVES = new LinkedHashMap<>();

  static {
    MOVES.put(Message.Version.class, (stage, tx) -> one(version()));
    MOVES.put(Message.Verack.class, (stage, tx) -> one(new Message.Verack()));
    MOVES.put(Message.Ping.class, (stage, tx) -> one(new Message.Ping(7)));
    MOVES.put(Message.Pong.class, (stage, tx) -> one(new Message.Pong(7)));
    MOVES.put(Message.SendHeaders.class, (stage, tx) -> one(new Message.SendHeaders()));
    MOVES.put(Message.WtxidRelay.class, (stage, tx) -> one(new Message.WtxidRelay()));
    MOVES.put(Message.SendAddrV2.class, (stage, tx) -> one(new Message.SendAddrV2()));
    MOVES.put(Message.SendCmpct.class, (stage, tx) -> one(new Message.SendCmpct(false, 2)));
    MOVES.put(Message.FeeFilter.class, (stage, tx) -> one(new Message.FeeFilter(1_000_000)));
    MOVES.put(
        Message.GetHeaders.class,
        (stage, tx) -> one(new Message.GetHeaders(List.of(tx.txid()), Hash256.ZERO)));
    MOVES.put(
        Message.GetBlocks.class,
        (stage, tx) -> one(new Message.GetBlocks(List.of(tx.txid()), Hash256.ZERO)));
    MOVES.put(Message.HeadersMessage.class, (stage, tx) -> one(stage.headers(tx)));
    MOVES.put(
        Message.Inv.class,
        (stage, tx) ->
            List.of(
                new Message.Inv(items(InventoryItem.TX, tx)),
                new Message.Inv(items(InventoryItem.WITNESS_TX, tx)),
                new Message.Inv(List.of())));
    MOVES.put(
        Message.GetData.class,
        (stage, tx) ->
            List.of(
                new Message.GetData(items(InventoryItem.TX, tx)),
                new Message.GetData(items(InventoryItem.WITNESS_TX, tx)),
                new Message.GetData(items(InventoryItem.BLOCK, tx))));
    MOVES.put(
        Message.NotFound.class,
        (stage, tx) ->
            List.of(
                new Message.NotFound(items(InventoryItem.TX, tx)),
                new Message.NotFound(items(InventoryItem.WITNESS_TX, tx))));
    MOVES.put(Message.TxMessage.class, (stage, tx) -> one(new Message.TxMessage(tx)));
    MOVES.put(Message.BlockMessage.class, (stage, tx) -> one(stage.block(tx)));
    MOVES.put(Message.MerkleBlockMessage.class, Stage::proof);
    MOVES.put(
        Message.FilterLoad.class, (stage, tx) -> one(new Message.FilterLoad(stage.suspectsFilter)));
    MOVES.put(Message.FilterAdd.class, (stage, tx) -> one(new Message.FilterAdd(stage.element)));
    MOVES.put(Message.FilterClear.class, (stage, tx) -> one(new Message.FilterClear()));
    MOVES.put(Message.Mempool.class, (stage, tx) -> one(new Message.Mempool()));
    MOVES.put(Message.GetAddr.class, (stage, tx) -> one(new Message.GetAddr()));
    MOVES.put(Message.Addr.class, (stage, tx) -> one(new Message.Addr(List.of())));
    MOVES.put(Message.AddrV2.class, (stage, tx) -> one(new Message.AddrV2(List.of())));
    MOVES.put(
        Message.Reject.class,
        (stage, tx) -> one(new Message.Reject("tx", 16, "no", Bytes.wrap(tx.txid().toInternal()))));
    MOVES.put(
        Message.GetCFilters.class, (stage, tx) -> one(new Message.GetCFilters(0, 0, tx.txid())));
    MOVES.put(
        Message.CFilter.class, (stage, tx) -> one(new Message.CFilter(0, tx.txid(), tx.raw())));
    MOVES.put(
        Message.GetCFHeaders.class, (stage, tx) -> one(new Message.GetCFHeaders(0, 0, tx.txid())));
    MOVES.put(
        Message.CFHeaders.class,
        (stage, tx) -> one(new Message.CFHeaders(0, tx.txid(), Hash256.ZERO, List.of(tx.txid()))));
    MOVES.put(
        Message.GetCFCheckpt.class, (stage, tx) -> one(new Message.GetCFCheckpt(0, tx.txid())));
    MOVES.put(
        Message.CFCheckpt.class,
        (stage, tx) -> one(new Message.CFCheckpt(0, tx.txid(), List.of(tx.txid()))));
    MOVES.put(Message.Unknown.class, (stage, tx) -> one(new Message.Unknown("suspect", tx.raw())));
  }

  private static final Set<Class<? extends Message>> NAMING =
      Set.of(
          Message.Inv.class,
          Message.GetData.class,
          Message.NotFound.class,
          Message.TxMessage.class,
          Message.BlockMessage.class,
          Message.MerkleBlockMessage.class,
          Message.HeadersMessage.class,
          Message.Reject.class);

  private static List<Message> one(Message message) {
    return List.of(message);
  }

  private static List<InventoryItem> items(int type, Tx tx) {
    return List.of(new InventoryItem(type, tx.txid()));
  }

  private static Message version() {
    return new Message.Version(70016, 0, 0, 5, "/again/", 0, true);
  }

  /** What the wallet knew of the transaction before. */
  private enum Before {
    NOTHING,
    /** It was announced in an earlier session. */
    ANNOUNCED,
    /** The user sends it: it was signed, and its order to be sent is in the file. */
    SENT
  }

  /** What the transaction does. */
  private enum Kind {
    PAYS,
    SPENDS
  }

  /** Who acts: a guard, or a peer that holds no filter. */
  private enum Actor {
    GUARD_OF_SCRIPTS,
    GUARD_OF_OUTPOINTS,
    WITHOUT_FILTER
  }

  private record Case(Before before, Kind kind, Actor actor, boolean follow) {}

  /** One life: two guards, a third peer, and a wallet with ten payments. */
  private static final class Stage {
    final SimulatedNode first = new SimulatedNode();
    final SimulatedNode second = first.twinWithItsOwnPool();
    final SimulatedNode third = first.twinWithItsOwnPool();
    final SimulatedWallet wallet = SimulatedWallet.ofEpochs(10, 50);
    final SimulatedWorld world = new SimulatedWorld(1, wallet);
    final NodeAddress a = world.add(first);
    final NodeAddress b = world.add(second);
    final NodeAddress c = world.add(third);
    final Payments payments = new Payments();
    final List<Tx> paid = new ArrayList<>();
    final BloomFilter scripts;
    final BloomFilter outPoints;
    private final Hash256 tip;
    private final Map<Hash256, SimulatedNode.Block> mined = new LinkedHashMap<>();
    // Of the suspect.
    BloomFilter suspectsFilter;
    Bytes element = Bytes.EMPTY;

    Stage() {
      world.commitMillis = 5;
      for (int i = 0; i < 4; i++) {
        Tx payment = payments.pay(i);
        paid.add(payment);
        first.mine(List.of(payment));
        first.mine(List.of());
      }
      Map<NodeAddress, BloomFilter> shown = new LinkedHashMap<>();
      world.onOutput =
          output -> {
            if (output instanceof Output.Send send
                && send.message() instanceof Message.FilterLoad load) {
              shown.put(send.link().address(), load.filter());
            }
          };
      world.run(settings(false));
      scripts = Objects.requireNonNull(shown.get(a));
      outPoints = Objects.requireNonNull(shown.get(b));
      suspectsFilter = scripts;
      tip = first.chain.tip();
      world.onOutput = output -> {};
    }

    SyncSettings settings(boolean follow) {
      return SyncSettings.of(List.of(a, b, c), 5)
          .follow(follow)
          .keyedBy(Bytes.ofHex("c0ffee"))
          .preset(Preset.Private.USUAL);
    }

    /** The suspected transaction, with an element of the wallet, or with one that matches. */
    Tx suspect(Kind kind, boolean own) {
      if (kind == Kind.PAYS) {
        element = own ? SimulatedWallet.element(5) : matching(scripts, 20);
        Bytes script =
            new ByteWriter().bytes(Bytes.of(new byte[] {0, 20})).bytes(element).toBytes();
        return Payments.tx(List.of(payments.foreignCoin()), List.of(script, Payments.FOREIGN));
      }
      OutPoint coin = own ? paid.get(1).outPoint(0) : asOutPoint(matching(outPoints, 36));
      element = coin.toBytes();
      suspectsFilter = outPoints;
      return Payments.tx(List.of(coin), List.of(Payments.FOREIGN));
    }

    private static OutPoint asOutPoint(Bytes element) {
      return new OutPoint(Hash256.read(element.toArray(), 0), 0);
    }

    /** Data that is not the wallet's and that the filter matches. */
    private static Bytes matching(BloomFilter filter, int length) {
      Random random = new Random(length);
      byte[] data = new byte[length];
      do {
        random.nextBytes(data);
        if (length == 36) {
          Arrays.fill(data, 32, 36, (byte) 0);
        }
      } while (!filter.contains(Bytes.of(data)));
      return Bytes.of(data);
    }

    SimulatedNode node(Actor actor) {
      return switch (actor) {
        case GUARD_OF_SCRIPTS -> first;
        case GUARD_OF_OUTPOINTS -> second;
        case WITHOUT_FILTER -> third;
      };
    }

    NodeAddress address(Actor actor) {
      return switch (actor) {
        case GUARD_OF_SCRIPTS -> a;
        case GUARD_OF_OUTPOINTS -> b;
        case WITHOUT_FILTER -> c;
      };
    }

    /** A block that nobody requested, with the suspect. */
    private SimulatedNode.Block mined(Tx tx) {
      return mined.computeIfAbsent(
          tx.txid(), txid -> new SimulatedNode().mineDated(tip, 1_600_100_000L, List.of(tx)));
    }

    Message headers(Tx tx) {
      return new Message.HeadersMessage(Headers.ofStored(mined(tx).header()));
    }

    Message block(Tx tx) {
      SimulatedNode.Block block = mined(tx);
      ByteWriter out = new ByteWriter().bytes(block.header());
      out.compactSize(block.transactions().size());
      block.transactions().forEach(each -> out.bytes(each.raw()));
      return new Message.BlockMessage(out.toBytes());
    }

    List<Message> proof(Tx tx) {
      SimulatedNode.Block block = mined(tx);
      java.util.BitSet matches = new java.util.BitSet();
      matches.set(1);
      MerkleTree tree = MerkleTree.of(block.transactions().stream().map(Tx::txid).toList());
      return List.of(
          new Message.MerkleBlockMessage(MerkleBlock.of(block.header(), tree.prove(matches))),
          new Message.TxMessage(tx));
    }
  }

  /** What an actor does in a session. */
  private interface Script {
    void play(Stage stage, SimulatedNode actor, Tx suspect);
  }

  /** Says the same again and again, in four bursts. */
  private static Script repeating(Move move, boolean follow) {
    return (stage, actor, suspect) -> {
      Runnable act =
          () -> {
            for (int i = 0; i < TIMES; i++) {
              move.of(stage, suspect).forEach(said -> stage.world.announce(actor, said));
            }
          };
      for (int i = 0; i < (follow ? 2 : 1); i++) {
        stage.world.later(i * 4_000L, act);
      }
    };
  }

  /** Says anything at any time, and has the transaction or not. */
  private static Script mixing(long seed, int millis) {
    return (stage, actor, suspect) -> {
      Random random = new Random(seed);
      List<Move> all = new ArrayList<>(MOVES.values());
      List<Move> usual =
          List.of(
              MOVES.get(Message.Inv.class),
              MOVES.get(Message.TxMessage.class),
              MOVES.get(Message.NotFound.class),
              MOVES.get(Message.GetData.class));
      for (int i = 0; i < 60; i++) {
        List<Move> from = random.nextInt(12) == 0 ? all : usual;
        Move move = from.get(random.nextInt(from.size()));
        boolean has = random.nextBoolean();
        stage.world.later(
            random.nextInt(millis),
            () -> {
              actor.mempool.remove(suspect.txid());
              if (has) {
                actor.mempool.put(suspect.txid(), suspect);
              }
              move.of(stage, suspect).forEach(said -> stage.world.announce(actor, said));
            });
      }
    };
  }

  /** What the acting peer saw of us. */
  private static List<String> seen(Case what, boolean own, Script script) {
    Stage stage = new Stage();
    Tx suspect = stage.suspect(what.kind(), own);
    SimulatedNode actor = stage.node(what.actor());
    if (what.before() == Before.ANNOUNCED) {
      SimulatedNode teller = what.kind() == Kind.PAYS ? stage.first : stage.second;
      teller.mempool.put(suspect.txid(), suspect);
      stage.world.run(stage.settings(false));
      teller.mempool.clear();
    } else if (what.before() == Before.SENT && own) {
      stage.wallet.send(suspect);
    }
    List<String> seen = new ArrayList<>();
    Instant begin = stage.world.now();
    NodeAddress address = stage.address(what.actor());
    Runnable[] onMempool = {() -> {}};
    stage.world.onOutput =
        output -> {
          if (output instanceof Output.Send send && send.message() instanceof Message.Mempool) {
            Runnable once = onMempool[0];
            onMempool[0] = () -> {};
            once.run();
          }
          String line = line(output, address);
          if (line != null) {
            String of = line.replace(suspect.txid().toString(), "SUSPECT");
            line = of.replace(stage.mined(suspect).hash().toString(), "BLOCK");
            seen.add(Duration.between(begin, stage.world.now()).toMillis() + " " + line);
          }
        };
    Runnable act = () -> script.play(stage, actor, suspect);
    if (what.follow()) {
      stage.world.later(40_000, act);
      stage.world.later(100_000, () -> stage.world.post(new Input.Stop()));
      stage.world.keepsQueue = true;
    } else {
      // The other peers take longer, so that it can act.
      Stream.of(stage.a, stage.b, stage.c)
          .filter(peer -> !peer.equals(address))
          .forEach(peer -> stage.world.delays.put(peer, 25));
      onMempool[0] = act;
    }
    stage.world.run(stage.settings(what.follow()));
    return seen;
  }

  /** An output as the peer sees it; null if it sees nothing of it. */
  private static @Nullable String line(Output output, NodeAddress to) {
    if (output instanceof Output.Send send && send.link().address().equals(to)) {
      Message message = send.message();
      if (message instanceof Message.FilterLoad load) {
        return "filterload " + load.filter().parameters().bytes();
      }
      // Random numbers.
      return message.toString().replaceAll("nonce=-?\\d+", "nonce");
    }
    if (output instanceof Output.Disconnect end && end.link().address().equals(to)) {
      return end.reason() + " " + end.detail();
    }
    return null;
  }

  @Test
  void everyKindOfMessageIsAMove() {
    List<Class<?>> kinds = List.of(Message.class.getPermittedSubclasses());
    assertThat(MOVES.keySet()).containsExactlyInAnyOrderElementsOf(cast(kinds));
  }

  @SuppressWarnings("unchecked")
  private static List<Class<? extends Message>> cast(List<Class<?>> kinds) {
    List<Class<? extends Message>> messages = new ArrayList<>();
    kinds.forEach(kind -> messages.add((Class<? extends Message>) kind));
    return messages;
  }

  static Stream<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (Before before : Before.values()) {
      for (Kind kind : Kind.values()) {
        for (Actor actor : Actor.values()) {
          // A peer without a filter is told what the user sends.
          if (actor != Actor.WITHOUT_FILTER || before != Before.SENT) {
            cases.add(Arguments.of(new Case(before, kind, actor, false)));
            cases.add(Arguments.of(new Case(before, kind, actor, true)));
          }
        }
      }
    }
    return cases.stream();
  }

  /** Each kind that can name a transaction alone, many times, and the others together. */
  @ParameterizedTest
  @MethodSource("cases")
  void everyKindOfMessage(Case what) {
    List<String> told = new ArrayList<>();
    List<Move> others = new ArrayList<>();
    MOVES.forEach(
        (kind, move) -> {
          if (NAMING.contains(kind)) {
            compare(what, repeating(move, what.follow()), kind.getSimpleName(), told);
          } else {
            others.add(move);
          }
        });
    Move all = (stage, tx) -> others.stream().flatMap(move -> move.of(stage, tx).stream()).toList();
    compare(what, repeating(all, what.follow()), "others", told);
    assertThat(told).isEmpty();
  }

  /** Anything in any order. */
  @ParameterizedTest
  @MethodSource("cases")
  void mixtures(Case what) {
    List<String> told = new ArrayList<>();
    for (int seed = 0; seed < MIXTURES; seed++) {
      compare(what, mixing(seed, what.follow() ? 40_000 : 100), "seed " + seed, told);
    }
    assertThat(told).isEmpty();
  }

  private static void compare(Case what, Script script, String name, List<String> told) {
    List<String> own = seen(what, true, script);
    List<String> foreign = seen(what, false, script);
    if (!own.equals(foreign)) {
      told.add(name + difference(own, foreign));
    }
  }

  /** The first lines that differ. */
  private static String difference(List<String> own, List<String> foreign) {
    int at = 0;
    while (at < Math.min(own.size(), foreign.size()) && own.get(at).equals(foreign.get(at))) {
      at++;
    }
    return "\n  own: " + shortly(own, at) + "\n  foreign: " + shortly(foreign, at);
  }

  private static String shortly(List<String> lines, int at) {
    String line = at < lines.size() ? lines.get(at) : "nothing more";
    return lines.size() + " lines; " + line.substring(0, Math.min(line.length(), 160));
  }
}
