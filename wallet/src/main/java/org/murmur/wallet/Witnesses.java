package org.murmur.wallet;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.p2p.cover.Content;
import org.murmur.p2p.cover.Load;
import org.murmur.p2p.cover.ScanRow;
import org.murmur.p2p.discovery.KnownAddress;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.PeerAddress;
import org.murmur.p2p.sync.CommitBatch.PeerFacts;
import org.murmur.p2p.sync.DisconnectReason;
import org.murmur.p2p.wire.NetworkAddress;
import org.murmur.p2p.wire.Services;
import org.murmur.wallet.books.Books;
import org.murmur.wallet.books.Scans;
import org.murmur.wallet.books.WalletView;
import org.murmur.wallet.ledger.Effect;
import org.murmur.wallet.ledger.Fact;
import org.murmur.wallet.ledger.OwnScripts;
import org.murmur.wallet.store.StoreException;
import org.murmur.wallet.store.WalletStore;

/** Reads from the store who was shown what, and who served what. */
final class Witnesses {

  private Witnesses() {}

  static PeerBook peers(WalletStore store, Instant now) throws StoreException {
    Map<PeerAddress, Integer> filters = new HashMap<>();
    Map<PeerAddress, Integer> most = new HashMap<>();
    for (Load load : store.loads()) {
      filters.merge(load.peer(), 1, Integer::sum);
      most.merge(load.peer(), load.elements(), Math::max);
    }
    Map<PeerAddress, KnownAddress> table = new HashMap<>();
    for (KnownAddress address : store.addresses()) {
      table.put(PeerAddress.of(address.endpoint()), address);
    }
    List<KnownPeer> peers = new ArrayList<>();
    Set<PeerAddress> met = new HashSet<>();
    for (PeerFacts facts : store.peers()) {
      PeerAddress address = facts.address();
      met.add(address);
      peers.add(
          known(
              facts,
              Optional.ofNullable(table.get(address)),
              filters.getOrDefault(address, 0),
              most.getOrDefault(address, 0),
              now));
    }
    for (Map.Entry<PeerAddress, KnownAddress> entry : table.entrySet()) {
      KnownAddress address = entry.getValue();
      boolean told = address.lastSuccess() > 0 || !address.bannedFor().isEmpty();
      if (told && !met.contains(entry.getKey())) {
        PeerFacts facts =
            new PeerFacts(
                entry.getKey(),
                address.services(),
                "",
                0,
                address.latencyMillis(),
                Math.max(address.lastSuccess(), address.lastTry()),
                false,
                address.bannedFor());
        peers.add(
            known(
                facts,
                Optional.of(address),
                filters.getOrDefault(entry.getKey(), 0),
                most.getOrDefault(entry.getKey(), 0),
                now));
      }
    }
    peers.sort(Comparator.comparing(KnownPeer::lastSeen).reversed());
    return book(peers, table.values());
  }

  private static PeerBook book(List<KnownPeer> peers, Collection<KnownAddress> table) {
    Set<NetGroup> groups = new HashSet<>();
    int reached = 0;
    int filtering = 0;
    int onion = 0;
    for (KnownAddress address : table) {
      groups.add(address.group());
      reached += address.lastSuccess() > 0 ? 1 : 0;
      filtering += Services.has(address.services(), Services.BLOOM) ? 1 : 0;
      onion += address.endpoint().network() == NetworkAddress.TORV3 ? 1 : 0;
    }
    return new PeerBook(peers, table.size(), reached, filtering, groups.size(), onion);
  }

  private static KnownPeer known(
      PeerFacts facts, Optional<KnownAddress> address, int filters, int elements, Instant now) {
    return new KnownPeer(
        facts.address(),
        facts.userAgent(),
        facts.services(),
        facts.startHeight(),
        facts.latencyMillis() < 0
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(facts.latencyMillis())),
        Instant.ofEpochSecond(facts.lastSeen()),
        facts.misbehaviour().isEmpty() ? Optional.empty() : Optional.of(facts.misbehaviour()),
        filters,
        elements,
        facts.address().endpoint().map(endpoint -> NetGroup.of(endpoint).name()),
        address.map(KnownAddress::failures).orElse(0),
        bannedUntil(facts, address, now));
  }

  /** A ban is in the table of addresses, or follows from what a peer that was named did. */
  private static Optional<Instant> bannedUntil(
      PeerFacts facts, Optional<KnownAddress> address, Instant now) {
    Instant until = Instant.ofEpochSecond(address.map(KnownAddress::bannedUntil).orElse(0L));
    for (DisconnectReason reason : DisconnectReason.values()) {
      if (reason.name().equals(facts.misbehaviour())) {
        Instant named = Instant.ofEpochSecond(facts.lastSeen()).plus(reason.backOff());
        until = named.isAfter(until) ? named : until;
      }
    }
    return until.isAfter(now) ? Optional.of(until) : Optional.empty();
  }

  /**
   * What a question is about.
   *
   * @param height the block, or -1 for all of them
   * @param elements indexes in the log, any of which answers it; none for a height
   */
  private record Question(int height, Set<Integer> elements) {}

  static Why why(String subject, Books books) throws StoreException, WalletException {
    Question question;
    if (subject.matches("[0-9]{1,9}")) {
      question = new Question(Integer.parseInt(subject), Set.of());
      int tip = books.read(WalletView::height);
      if (question.height() > tip) {
        throw new WalletException(
            WalletException.Kind.NOT_FOUND,
            "there is no block at height " + subject + ": the wallet's headers end at " + tip);
      }
    } else {
      question =
          books.read(
              view ->
                  subject.matches("[0-9a-fA-F]{64}")
                      ? ofTx(subject, view, books)
                      : ofAddress(subject, view));
      if (question.elements().isEmpty()) {
        throw new WalletException(
            WalletException.Kind.NOT_FOUND,
            subject + " is no transaction or address of this wallet, and no height");
      }
    }
    return answer(subject, question, books.scans());
  }

  private static Question ofTx(String subject, WalletView view, Books books) throws StoreException {
    Hash256 txid = Hash256.ofDisplay(subject);
    Fact fact = view.ledger().fact(txid);
    if (fact == null) {
      return new Question(-1, Set.of());
    }
    Set<Integer> elements = new HashSet<>();
    Effect effect = view.ledger().effect(txid);
    for (Effect.Part part : effect.received()) {
      elements.add(part.script());
    }
    for (Effect.Part part : effect.spent()) {
      int element = books.elementOf(part.outPoint());
      if (element >= 0) {
        // Else nobody looked for it: a coin that no block holds, of more than are looked for.
        elements.add(element);
      }
    }
    return new Question(fact.height(), elements);
  }

  private static Question ofAddress(String subject, WalletView view) {
    int script = view.scripts().ofAddress(subject);
    return new Question(-1, script == OwnScripts.FOREIGN ? Set.of() : Set.of(script));
  }

  private static Why answer(String subject, Question question, Scans scans) {
    List<Why.Look> looks = new ArrayList<>();
    for (ScanRow row : scans.rows()) {
      Load load = scans.loads().get(row.load());
      boolean there =
          question.height() < 0
              || (row.from() <= question.height() && question.height() <= row.to());
      if (load != null && there) {
        looks.add(
            new Why.Look(
                load.peer(),
                Instant.ofEpochSecond(row.time()),
                row.from(),
                row.to(),
                load.id(),
                row.elements(),
                holds(question, row, load, scans)));
      }
    }
    return new Why(
        subject,
        question.height() < 0 ? OptionalInt.empty() : OptionalInt.of(question.height()),
        looks);
  }

  private static boolean holds(Question question, ScanRow row, Load load, Scans scans) {
    if (question.elements().isEmpty()) {
      return true;
    }
    for (int element : question.elements()) {
      if (element < 0) {
        continue;
      }
      boolean prefix = load.content() instanceof Content.Prefix;
      boolean added =
          prefix
              && scans.coverage() != null
              && scans.coverage().holds(element, row.load(), row.elements());
      if (added || load.contentWith(row.elements()).holds(element)) {
        return true;
      }
    }
    return false;
  }
}
