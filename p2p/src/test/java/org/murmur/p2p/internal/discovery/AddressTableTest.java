package org.murmur.p2p.internal.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NetGroup;
import org.murmur.p2p.discovery.Scope;
import org.murmur.p2p.internal.wire.NetworkAddress;
import org.murmur.p2p.internal.wire.Services;

/** A table that no attacker can fill, and the selection from it. */
class AddressTableTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000L);
  private static final long BLOOM = Services.NETWORK | Services.BLOOM;
  private static final AddressTable.Wanted ANY =
      new AddressTable.Wanted(0, Set.of(), known -> true, known -> 0);
  private static final NetGroup DNS = NetGroup.ofName("seed.example");

  private final AddressTable table = new AddressTable(Scope.INTERNET, List.of());

  private static NetworkAddress told(int a, int b, int c, int d) {
    return told(a, b, c, d, BLOOM, NOW.getEpochSecond());
  }

  private static NetworkAddress told(int a, int b, int c, int d, long services, long time) {
    byte[] address = {(byte) a, (byte) b, (byte) c, (byte) d};
    return new NetworkAddress(time, services, NetworkAddress.IPV4, Bytes.wrap(address), 8333);
  }

  private static Endpoint endpoint(NetworkAddress address) {
    return AddressTable.endpoint(address).orElseThrow();
  }

  private static NetGroup source(int number) {
    return NetGroup.ofName("source " + number);
  }

  /** Honest addresses, each of its own group. */
  private static List<NetworkAddress> honest(int count) {
    return IntStream.range(0, count).mapToObj(i -> told(20 + i / 250, 1 + i % 250, 3, 4)).toList();
  }

  private static Set<Endpoint> endpoints(List<NetworkAddress> addresses) {
    Set<Endpoint> endpoints = new HashSet<>();
    addresses.forEach(address -> endpoints.add(endpoint(address)));
    return endpoints;
  }

  private Set<Endpoint> known() {
    Set<Endpoint> known = new HashSet<>();
    table.all().forEach(address -> known.add(address.endpoint()));
    return known;
  }

  private static void checkBounds(AddressTable table) {
    Map<NetGroup, Integer> fresh = new HashMap<>();
    Map<NetGroup, Integer> proven = new HashMap<>();
    Map<NetGroup, Integer> sources = new HashMap<>();
    int reached = 0;
    for (KnownAddress known : table.all()) {
      (known.proven() ? proven : fresh).merge(known.group(), 1, Integer::sum);
      reached += known.proven() ? 1 : 0;
      if (!known.proven()) {
        sources.merge(known.source(), 1, Integer::sum);
      }
    }
    assertThat(reached).isLessThanOrEqualTo(AddressTable.MAX_PROVEN);
    assertThat(table.all().size() - reached).isLessThanOrEqualTo(AddressTable.MAX_FRESH);
    assertThat(fresh.values()).allMatch(count -> count <= AddressTable.FRESH_OF_A_GROUP);
    assertThat(proven.values()).allMatch(count -> count <= AddressTable.PROVEN_OF_A_GROUP);
    assertThat(sources.values()).allMatch(count -> count <= AddressTable.FRESH_OF_A_SOURCE);
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void isBoundedWhateverComes(@ForAll long seed) {
    Random random = new Random(seed);
    AddressTable some = new AddressTable(Scope.INTERNET, List.of());
    for (int i = 0; i < 40; i++) {
      int groups = 1 + random.nextInt(400);
      List<NetworkAddress> many = new ArrayList<>();
      for (int j = 0; j < 1_000; j++) {
        int group = random.nextInt(groups);
        many.add(told(11 + group / 200, group % 200, random.nextInt(8), random.nextInt(250)));
      }
      some.add(many, source(random.nextInt(7)), NOW);
      for (NetworkAddress address : many.subList(0, random.nextInt(200))) {
        switch (random.nextInt(4)) {
          case 0 -> some.reached(endpoint(address), BLOOM, NOW);
          case 1 -> some.failed(endpoint(address), NOW);
          case 2 -> some.banned(endpoint(address), "X", NOW.plusSeconds(random.nextInt(999)));
          default -> some.called(endpoint(address), NOW);
        }
      }
      checkBounds(some);
    }
  }

  @Property(tries = 10, shrinking = ShrinkingMode.OFF)
  void reachedAddressesStayThroughEveryFlood(@ForAll long seed) {
    Random random = new Random(seed);
    AddressTable some = new AddressTable(Scope.INTERNET, List.of());
    List<NetworkAddress> good = honest(100);
    some.add(good, DNS, NOW);
    good.forEach(address -> some.reached(endpoint(address), BLOOM, NOW));
    for (int i = 0; i < 20; i++) {
      List<NetworkAddress> flood = new ArrayList<>();
      for (int j = 0; j < 1_000; j++) {
        flood.add(
            told(
                11 + random.nextInt(180),
                random.nextInt(256),
                random.nextInt(256),
                1 + random.nextInt(250)));
      }
      some.add(flood, source(i), NOW);
    }
    for (NetworkAddress address : good) {
      assertThat(some.find(endpoint(address)).map(KnownAddress::proven)).contains(true);
    }
  }

  @Test
  void noListenerOnPortZero() {
    Bytes address = Bytes.ofHex("01020304");
    assertThat(AddressTable.endpoint(new NetworkAddress(1, 1, NetworkAddress.IPV4, address, 0)))
        .isEmpty();
    assertThat(AddressTable.endpoint(new NetworkAddress(1, 1, NetworkAddress.IPV4, address, 7)))
        .contains(new Endpoint(NetworkAddress.IPV4, address, 7));
  }

  @Test
  void aFloodFromOneSourceDisplacesNothing() {
    List<NetworkAddress> good = honest(300);
    table.add(good, DNS, NOW);
    for (int i = 0; i < 60; i++) {
      List<NetworkAddress> flood = new ArrayList<>();
      for (int j = 0; j < 1_000; j++) {
        flood.add(told(60 + i, j / 4 % 256, j % 4, 7));
      }
      table.add(flood, source(0), NOW);
    }
    assertThat(known()).containsAll(endpoints(good));
    assertThat(known()).hasSize(300 + AddressTable.FRESH_OF_A_SOURCE);
  }

  @Test
  void aFloodFromManySourcesTakesNoMoreThanItsShare() {
    List<NetworkAddress> good = honest(100);
    table.add(good, DNS, NOW);
    for (int i = 0; i < 100; i++) {
      List<NetworkAddress> flood = new ArrayList<>();
      for (int j = 0; j < 1_000; j++) {
        flood.add(told(40 + i, j / 4 % 256, j % 4, 7));
      }
      table.add(flood, source(i % 10), NOW);
    }
    assertThat(known()).containsAll(endpoints(good));
    assertThat(known()).hasSize(AddressTable.MAX_FRESH);
  }

  @Test
  void anHonestSourceComesInWhereAFloodWasFirst() {
    for (int i = 0; i < 40; i++) {
      List<NetworkAddress> flood = new ArrayList<>();
      for (int j = 0; j < 1_000; j++) {
        flood.add(told(60 + i, j / 4 % 256, j % 4, 7));
      }
      table.add(flood, source(i % 5), NOW);
    }
    assertThat(known()).hasSize(AddressTable.MAX_FRESH);
    List<NetworkAddress> good = honest(100);
    assertThat(table.add(good, DNS, NOW)).isEqualTo(100);
    assertThat(known()).containsAll(endpoints(good)).hasSize(AddressTable.MAX_FRESH);
  }

  @Test
  void anAddressClaimedByTheFloodPassesToAnHonestSource() {
    List<NetworkAddress> good = honest(50);
    List<NetworkAddress> claimed = new ArrayList<>(good);
    for (int j = 0; j < 900; j++) {
      claimed.add(told(60 + j / 250, j % 250, 1, 7));
    }
    table.add(claimed, source(0), NOW);
    table.add(good, DNS, NOW);
    for (int i = 0; i < 100; i++) {
      List<NetworkAddress> flood = new ArrayList<>();
      for (int j = 0; j < 1_000; j++) {
        flood.add(told(80 + i, j / 4 % 256, j % 4, 7));
      }
      table.add(flood, source(i % 9), NOW);
    }
    assertThat(known()).containsAll(endpoints(good));
  }

  /**
   * Addresses pass to the source with the fewest. A source must not use that to evict more
   * addresses of the others than its own share costs: in the end all sources have the same number.
   */
  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void aFloodThatClaimsTheAddressesOfOthersDoesNotTakeThemAlong(@ForAll long seed) {
    int unclaimed = leftOf300AfterAFlood(() -> false);
    assertThat(unclaimed).isEqualTo(AddressTable.MAX_FRESH / 11);
    assertThat(leftOf300AfterAFlood(new Random(seed)::nextBoolean))
        .isGreaterThanOrEqualTo(unclaimed);
  }

  /** Most claims leave nearly all, as they spread them over sources that have fewer. */
  @Test
  void addressesThatEachOfThemClaimsStay() {
    assertThat(leftOf300AfterAFlood(() -> true)).isGreaterThanOrEqualTo(290);
  }

  /** Found by chance: claimed by one source and not again, they all are in one share. */
  @Test
  void addressesThatWereClaimedLastByOneKeepItsShare() {
    assertThat(leftOf300AfterAFlood(new Random(-1480)::nextBoolean))
        .isGreaterThanOrEqualTo(AddressTable.MAX_FRESH / 11);
  }

  /** Ten sources flood it; in each message they may claim the addresses that were there first. */
  private int leftOf300AfterAFlood(BooleanSupplier claims) {
    AddressTable some = new AddressTable(Scope.INTERNET, List.of());
    List<NetworkAddress> good = honest(300);
    some.add(good, DNS, NOW.minusSeconds(3_600));
    for (int i = 0; i < 100; i++) {
      List<NetworkAddress> flood = new ArrayList<>();
      for (int j = 0; j < 700; j++) {
        flood.add(told(40 + i, j / 4 % 256, j % 4, 7));
      }
      if (claims.getAsBoolean()) {
        flood.addAll(0, good);
      }
      some.add(flood, source(i % 10), NOW);
    }
    Set<Endpoint> left = new HashSet<>();
    some.all().forEach(known -> left.add(known.endpoint()));
    left.retainAll(endpoints(good));
    return left.size();
  }

  @Test
  void oneGroupCannotFillItFromAnySource() {
    for (int i = 0; i < 50; i++) {
      List<NetworkAddress> flood = new ArrayList<>();
      for (int j = 0; j < 1_000; j++) {
        flood.add(told(66, 66, i, j % 250));
      }
      table.add(flood, source(i), NOW);
    }
    assertThat(table.all()).hasSize(AddressTable.FRESH_OF_A_GROUP);
    table.all().forEach(known -> table.reached(known.endpoint(), BLOOM, NOW));
    assertThat(table.all().stream().filter(KnownAddress::proven))
        .hasSize(AddressTable.PROVEN_OF_A_GROUP);
  }

  @Test
  void aNodeInAGroupThatAFloodFilledComesIn() {
    List<NetworkAddress> flood = new ArrayList<>();
    for (int j = 0; j < 100; j++) {
      flood.add(told(66, 66, 1, j));
    }
    table.add(flood, source(0), NOW);
    NetworkAddress good = told(66, 66, 2, 2);
    assertThat(table.add(List.of(good), DNS, NOW)).isEqualTo(1);
    table.add(flood, source(0), NOW);
    assertThat(known()).contains(endpoint(good));
  }

  /**
   * Sixteen places for three sources: one has one more than the others. They would take it from
   * each other for ever, with a write to disk every time.
   */
  @Test
  void equalSourcesDisplaceNoAddress() {
    tellInTurns(0);
    Set<Endpoint> settled = known();
    table.takeChanges();
    assertThat(tellInTurns(1) + tellInTurns(2)).isZero();
    assertThat(known()).isEqualTo(settled).hasSize(AddressTable.FRESH_OF_A_GROUP);
    assertThat(table.hasChanged()).isFalse();
  }

  private int tellInTurns(int round) {
    int added = 0;
    for (int who = 0; who < 3; who++) {
      List<NetworkAddress> others = new ArrayList<>();
      for (int j = 0; j < AddressTable.FRESH_OF_A_GROUP; j++) {
        others.add(told(66, 66, who, 1 + 20 * round + j));
      }
      added += table.add(others, source(who), NOW);
    }
    return added;
  }

  /** The same for an address that both know: it does not move back and forth between them. */
  @Test
  void anAddressFromTwoSourcesStaysWhereItIs() {
    table.add(List.of(told(20, 1, 1, 1), told(20, 2, 1, 1)), source(0), NOW);
    table.add(List.of(told(20, 3, 1, 1)), source(1), NOW);
    table.takeChanges();
    for (int i = 0; i < 4; i++) {
      table.add(List.of(told(20, 1, 1, 1)), source((i + 1) % 2), NOW);
    }
    assertThat(table.hasChanged()).isFalse();
    // A source that sent far more gives it up, and for good.
    table.add(List.of(told(20, 4, 1, 1)), source(0), NOW);
    for (int i = 0; i < 4; i++) {
      table.add(List.of(told(20, 1, 1, 1)), source((i + 1) % 2), NOW);
    }
    assertThat(table.find(endpoint(told(20, 1, 1, 1))).orElseThrow().source()).isEqualTo(source(1));
    assertThat(table.takeChanges().kept()).hasSize(2);
  }

  @Property(tries = 10, shrinking = ShrinkingMode.OFF)
  void drawsGroupsNotAddresses(@ForAll long seed) {
    AddressTable some = new AddressTable(Scope.INTERNET, List.of());
    some.add(honest(3), DNS, NOW);
    List<NetworkAddress> crowd = new ArrayList<>();
    for (int j = 0; j < AddressTable.FRESH_OF_A_GROUP; j++) {
      crowd.add(told(66, 66, 1, 1 + j));
    }
    some.add(crowd, source(0), NOW);
    SplittableRandom dice = new SplittableRandom(seed);
    int ofTheCrowd = 0;
    for (int i = 0; i < 4_000; i++) {
      String group = some.draw(ANY, dice, NOW).orElseThrow().group().name();
      ofTheCrowd += group.equals("66.66.0.0/16") ? 1 : 0;
    }
    // One group of four: 1,000 of 4,000, and 200 are more than seven standard deviations.
    assertThat(ofTheCrowd).isBetween(800, 1_200);
  }

  @Property(tries = 10, shrinking = ShrinkingMode.OFF)
  void prefersReachedAddressesAndDoesNotStarveTheRest(@ForAll long seed) {
    AddressTable some = new AddressTable(Scope.INTERNET, List.of());
    List<NetworkAddress> good = honest(200);
    some.add(good, DNS, NOW);
    Endpoint reached = endpoint(good.get(17));
    some.reached(reached, BLOOM, NOW);
    SplittableRandom dice = new SplittableRandom(seed);
    int times = 0;
    for (int i = 0; i < 4_000; i++) {
      times += some.draw(ANY, dice, NOW).orElseThrow().endpoint().equals(reached) ? 1 : 0;
    }
    assertThat(times).isBetween(2_800, 3_200);
  }

  @Test
  void theSameDiceGiveTheSameAnswers() {
    List<Endpoint> first = drawn(5);
    assertThat(drawn(5)).isEqualTo(first);
    assertThat(drawn(6)).isNotEqualTo(first);
  }

  private static List<Endpoint> drawn(long seed) {
    AddressTable some = new AddressTable(Scope.INTERNET, List.of());
    some.add(honest(300), DNS, NOW);
    SplittableRandom dice = new SplittableRandom(seed);
    List<Endpoint> drawn = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      drawn.add(some.draw(ANY, dice, NOW).orElseThrow().endpoint());
    }
    return drawn;
  }

  @Test
  void drawsOnlyWantedAddresses() {
    NetworkAddress plain = told(20, 1, 1, 1, Services.NETWORK, NOW.getEpochSecond());
    NetworkAddress bloom = told(20, 2, 1, 1);
    table.add(List.of(plain, bloom), DNS, NOW);
    SplittableRandom dice = new SplittableRandom(1);
    assertThat(
            table.draw(new AddressTable.Wanted(BLOOM, Set.of(), any -> true, any -> 0), dice, NOW))
        .map(KnownAddress::endpoint)
        .contains(endpoint(bloom));
    NetGroup group = NetGroup.of(endpoint(bloom));
    assertThat(
            table.draw(
                new AddressTable.Wanted(BLOOM, Set.of(group), any -> true, any -> 0), dice, NOW))
        .isEmpty();
    assertThat(table.draw(new AddressTable.Wanted(0, Set.of(), any -> false, any -> 0), dice, NOW))
        .isEmpty();
  }

  @Test
  void callsInVainMakeLongerAndLongerPausesAndThenAnEnd() {
    table.add(List.of(told(20, 1, 1, 1)), DNS, NOW);
    Endpoint endpoint = table.all().get(0).endpoint();
    SplittableRandom dice = new SplittableRandom(1);
    table.failed(endpoint, NOW);
    assertThat(table.draw(ANY, dice, NOW.plusSeconds(59))).isEmpty();
    assertThat(table.draw(ANY, dice, NOW.plusSeconds(60))).isPresent();
    table.failed(endpoint, NOW);
    assertThat(table.draw(ANY, dice, NOW.plusSeconds(119))).isEmpty();
    table.failed(endpoint, NOW);
    assertThat(table.all()).isEmpty();
  }

  @Test
  void reachedAddressesAreForgottenMuchLater() {
    table.add(List.of(told(20, 1, 1, 1)), DNS, NOW);
    Endpoint endpoint = table.all().get(0).endpoint();
    table.reached(endpoint, BLOOM, NOW);
    for (int i = 0; i < 50; i++) {
      table.failed(endpoint, NOW.plus(Duration.ofDays(6)));
    }
    assertThat(table.all()).hasSize(1);
    table.failed(endpoint, NOW.plus(Duration.ofDays(8)));
    assertThat(table.all()).isEmpty();
  }

  @Test
  void aBannedAddressIsNotSelectedAndNotForgotten() {
    table.add(List.of(told(20, 1, 1, 1)), DNS, NOW);
    Endpoint endpoint = table.all().get(0).endpoint();
    table.banned(endpoint, "BAD_PROOF", NOW.plusSeconds(100));
    SplittableRandom dice = new SplittableRandom(1);
    assertThat(table.draw(ANY, dice, NOW.plusSeconds(99))).isEmpty();
    for (int i = 0; i < 5; i++) {
      table.failed(endpoint, NOW.minusSeconds(1_000_000));
    }
    table.add(List.of(told(20, 1, 1, 1)), source(1), NOW);
    assertThat(table.draw(ANY, dice, NOW.plusSeconds(99))).isEmpty();
    assertThat(table.draw(ANY, dice, NOW.plusSeconds(100))).isPresent();
    table.reached(endpoint, BLOOM, NOW.plusSeconds(100));
    assertThat(table.find(endpoint).orElseThrow().bannedFor()).isEmpty();
  }

  @Test
  void drawsOnlyThoseOfTheHighestRankThatFit() {
    List<NetworkAddress> some = honest(3);
    table.add(some, DNS, NOW);
    SplittableRandom dice = new SplittableRandom(1);
    List<Endpoint> order = some.stream().map(AddressTableTest::endpoint).toList();
    Set<Endpoint> drawn = new LinkedHashSet<>();
    AddressTable.Wanted lastFirst =
        new AddressTable.Wanted(
            0,
            Set.of(),
            known -> !drawn.contains(known.endpoint()),
            known -> order.indexOf(known.endpoint()));
    for (int i = 0; i < 3; i++) {
      drawn.add(table.draw(lastFirst, dice, NOW).orElseThrow().endpoint());
    }
    assertThat(drawn).containsExactly(order.get(2), order.get(1), order.get(0));
    assertThat(table.draw(lastFirst, dice, NOW)).isEmpty();
  }

  @Test
  void believesTheNodeItselfAboutItsServices() {
    NetworkAddress claimed = told(20, 1, 1, 1);
    table.add(List.of(claimed), DNS, NOW);
    table.reached(endpoint(claimed), Services.NETWORK, NOW);
    table.add(List.of(claimed), source(1), NOW);
    assertThat(table.reached(BLOOM)).isZero();
    assertThat(table.reached(0)).isEqualTo(1);
  }

  @Test
  void timesOfTheFutureAndOfNeverAreNotBelieved() {
    long soon = NOW.plusSeconds(3_600).getEpochSecond();
    table.add(List.of(told(20, 1, 1, 1, BLOOM, soon), told(20, 2, 1, 1, BLOOM, 0)), DNS, NOW);
    long fiveDays = NOW.minus(Duration.ofDays(5)).minus(Duration.ofHours(2)).getEpochSecond();
    assertThat(table.all()).extracting(KnownAddress::lastSeen).containsOnly(fiveDays);
    long lastMonth = NOW.minus(Duration.ofDays(31)).getEpochSecond();
    table.add(List.of(told(20, 3, 1, 1, BLOOM, lastMonth)), DNS, NOW);
    assertThat(table.all()).hasSize(2);
  }

  @Test
  void returnsTheChangesSinceTheLastCall() {
    assertThat(table.takeChanges()).isEqualTo(AddressChanges.NONE);
    List<NetworkAddress> good = honest(3);
    table.add(good, DNS, NOW);
    table.reached(endpoint(good.get(0)), BLOOM, NOW);
    assertThat(table.takeChanges().kept()).containsExactlyInAnyOrderElementsOf(table.all());
    assertThat(table.hasChanged()).isFalse();
    for (int i = 0; i < 3; i++) {
      table.failed(endpoint(good.get(1)), NOW);
    }
    table.measured(endpoint(good.get(0)), 12);
    AddressChanges changes = table.takeChanges();
    assertThat(changes.gone()).containsExactly(endpoint(good.get(1)));
    assertThat(changes.kept()).extracting(KnownAddress::latencyMillis).containsExactly(12L);
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void continuesFromTheFileAsIfItHadNotStopped(@ForAll long seed) {
    Random random = new Random(seed);
    Map<Endpoint, KnownAddress> disk = new HashMap<>();
    AddressTable some = new AddressTable(Scope.INTERNET, List.of());
    for (int i = 0; i < 10; i++) {
      List<NetworkAddress> many = honest(random.nextInt(500));
      some.add(many, source(i), NOW);
      for (NetworkAddress address : many) {
        if (random.nextInt(5) == 0) {
          some.failed(endpoint(address), NOW);
        } else if (random.nextInt(5) == 0) {
          some.reached(endpoint(address), BLOOM, NOW);
        }
      }
      AddressChanges changes = some.takeChanges();
      changes.gone().forEach(disk::remove);
      changes.kept().forEach(known -> disk.put(known.endpoint(), known));
    }
    AddressTable again = new AddressTable(Scope.INTERNET, disk.values());
    assertThat(again.all()).containsExactlyInAnyOrderElementsOf(some.all());
    assertThat(again.hasChanged()).isFalse();
  }

  @Test
  void keepsOnlyReachableAddresses() {
    table.add(List.of(told(127, 0, 0, 1), told(10, 0, 0, 1), told(192, 168, 1, 1)), source(1), NOW);
    assertThat(table.all()).isEmpty();
    AddressTable local = new AddressTable(Scope.LOCAL, List.of());
    local.add(List.of(told(127, 3, 0, 1), told(8, 8, 8, 8)), source(1), NOW);
    assertThat(local.all()).hasSize(1);
    assertThat(new AddressTable(Scope.INTERNET, local.all()).all()).isEmpty();
  }

  // ---- clocks that were wrong, and the state of this session ----

  @Test
  void futureTimesOfAWrongClockAreCorrected() {
    NetworkAddress address = told(20, 1, 1, 1);
    Endpoint endpoint = endpoint(address);
    Instant wrong = NOW.plus(Duration.ofDays(60));
    table.add(List.of(address), DNS, wrong);
    table.reached(endpoint, BLOOM, wrong);
    table.failed(endpoint, wrong);
    assertThat(table.draw(ANY, new SplittableRandom(1), NOW)).isEmpty();
    table.settle(NOW);
    assertThat(table.draw(ANY, new SplittableRandom(1), NOW)).isPresent();
    assertThat(table.find(endpoint).orElseThrow())
        .satisfies(
            known -> {
              assertThat(known.lastSeen()).isEqualTo(NOW.getEpochSecond());
              assertThat(known.lastSuccess()).isEqualTo(NOW.getEpochSecond());
              assertThat(known.failures()).isEqualTo(1);
            });
    table.banned(endpoint, "X", wrong);
    table.settle(NOW);
    Duration longest = Duration.ofSeconds(KnownAddress.LONGEST_BAN);
    assertThat(table.holds(ANY, NOW.plus(longest).minusSeconds(1))).isFalse();
    assertThat(table.holds(ANY, NOW.plus(longest))).isTrue();
  }

  @Test
  void correctTimesAreNotTouched() {
    NetworkAddress address = told(20, 1, 1, 1);
    table.add(List.of(address), DNS, NOW);
    table.reached(endpoint(address), BLOOM, NOW);
    table.failed(endpoint(address), NOW);
    table.banned(endpoint(address), "X", NOW.plusSeconds(KnownAddress.LONGEST_BAN));
    table.takeChanges();
    table.settle(NOW.plusSeconds(1));
    assertThat(table.hasChanged()).isFalse();
  }

  @Test
  void aPauseEndsWhereverTheClockGoes() {
    NetworkAddress address = told(20, 1, 1, 1);
    Endpoint endpoint = endpoint(address);
    table.add(List.of(address), DNS, NOW);
    table.attempts(endpoint).pauseUntil(NOW, NOW.plusSeconds(60));
    assertThat(table.holds(ANY, NOW)).isFalse();
    assertThat(table.holds(ANY, NOW.plusSeconds(59))).isFalse();
    assertThat(table.holds(ANY, NOW.plusSeconds(60))).isTrue();
    assertThat(table.holds(ANY, NOW.minusSeconds(1))).isTrue();
  }

  @Test
  void hurryEndsPausesAndExcusesProvenAddressesButEndsNoBan() {
    List<NetworkAddress> some = honest(3);
    Endpoint proven = endpoint(some.get(0));
    Endpoint fresh = endpoint(some.get(1));
    Endpoint banned = endpoint(some.get(2));
    table.add(some, DNS, NOW);
    table.reached(proven, BLOOM, NOW);
    table.reached(banned, BLOOM, NOW);
    table.banned(banned, "X", NOW.plusSeconds(99));
    for (Endpoint endpoint : List.of(proven, fresh, banned)) {
      table.called(endpoint, NOW);
      table.failed(endpoint, NOW);
      table.attempts(endpoint).pauseUntil(NOW, Instant.MAX);
    }
    table.hurry();
    assertThat(table.mayBeCalledAgain(proven, NOW)).isTrue();
    assertThat(table.mayBeCalledAgain(fresh, NOW)).isFalse();
    assertThat(table.mayBeCalledAgain(banned, NOW)).isFalse();
    assertThat(table.attempts(proven).calls()).isZero();
    table.called(proven, NOW);
    assertThat(table.mayBeCalledAgain(proven, NOW)).as("once").isFalse();
  }

  @Test
  void countsEachAddressOnce() {
    List<NetworkAddress> some = honest(3);
    table.add(some.subList(0, 2), DNS, NOW);
    for (int i = 0; i < 3; i++) {
      assertThat(table.called(endpoint(some.get(0)), NOW)).isTrue();
      assertThat(table.called(endpoint(some.get(1)), NOW)).isTrue();
      assertThat(table.called(endpoint(some.get(2)), NOW)).as("not in the table").isFalse();
      table.reached(endpoint(some.get(0)), Services.NETWORK, NOW);
      table.reached(endpoint(some.get(1)), BLOOM, NOW);
    }
    assertThat(table.called()).isEqualTo(2);
    assertThat(table.reached(0)).isEqualTo(2);
    assertThat(table.reached(BLOOM)).isEqualTo(1);
    assertThat(table.attempts(endpoint(some.get(0))).calls()).isEqualTo(3);
    table.attempts(endpoint(some.get(0))).useful();
    assertThat(table.attempts(endpoint(some.get(0))).calls()).isZero();
    table.attempts(endpoint(some.get(0))).asked(7);
    assertThat(table.attempts(endpoint(some.get(0))).wasAsked(7)).isTrue();
    assertThat(table.attempts(endpoint(some.get(0))).wasAsked(8)).isFalse();
  }
}
