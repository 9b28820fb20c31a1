package org.murmur.p2p.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ResolverTest {

  private final List<InetAddress> found = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();

  @Test
  void addressesAreReadAtOnce() throws Exception {
    for (String address : new String[] {"127.0.0.1", "255.255.255.255", "::1", "fe80::2:3"}) {
      resolve(address);
    }
    assertThat(found)
        .containsExactly(
            InetAddress.getByAddress(new byte[] {127, 0, 0, 1}),
            InetAddress.getByAddress(new byte[] {-1, -1, -1, -1}),
            InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}),
            InetAddress.getByAddress(
                new byte[] {-2, -128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3}));
    assertThat(failed).isEmpty();
  }

  @Test
  void badAddressesAndHiddenServicesAreNotLookedUpAskedFor() {
    resolve("1:2:3");
    resolve("pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion");
    resolve("UKEU3K5OYCGAAUNEQGTNVSELMT4YEMVOILKLN7JPVAMVFX7DNKDQ.b32.I2P");
    assertThat(failed).hasSize(3);
    assertThat(failed.get(0)).contains("no IPv6 address");
    assertThat(failed.get(1)).contains("proxy");
    assertThat(failed.get(2)).contains("proxy");
    assertThat(found).isEmpty();
  }

  /** No name contains a colon; the JDK would take these for names, and ask the DNS. */
  @Test
  void textWithAColonIsNeverLookedUp() {
    for (String typo : new String[] {"tor:host", "foo:bar:1", "localhost:1", "::g", "g::%lo"}) {
      resolve(typo);
    }
    assertThat(failed).hasSize(5).allMatch(why -> why.contains("no IPv6 address"));
    assertThat(found).isEmpty();
  }

  @Test
  @Timeout(60)
  void namesThatHangDoNotHoldUpAnother() throws Exception {
    CountDownLatch hanging = new CountDownLatch(Resolver.THREADS - 1);
    CountDownLatch released = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    try (Resolver resolver =
        new Resolver(
            name -> {
              if (name.startsWith("hangs")) {
                hanging.countDown();
                await(released);
              }
              return new InetAddress[] {InetAddress.getLoopbackAddress()};
            })) {
      for (int i = 1; i < Resolver.THREADS; i++) {
        resolver.resolve("hangs" + i + ".example", numbers -> {}, why -> {});
      }
      assertThat(Resolver.THREADS - 1).isGreaterThan(8);
      await(hanging);
      resolver.resolve("quick.example", numbers -> told.countDown(), why -> {});
      await(told);
      released.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      // The test's time is up, or the resolver is closed.
      Thread.currentThread().interrupt();
    }
  }

  private void resolve(String host) {
    try (Resolver resolver =
        new Resolver(
            name -> {
              throw new AssertionError("looked up " + name);
            })) {
      resolver.resolve(host, found::addAll, failed::add);
    }
  }
}
