package org.murmur.p2p.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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

  /** With a colon nothing is a name; the JDK would take these for one, and ask the DNS. */
  @Test
  void whatHasAColonIsNeverLookedUp() {
    for (String typo : new String[] {"tor:host", "foo:bar:1", "localhost:1", "::g", "g::%lo"}) {
      resolve(typo);
    }
    assertThat(failed).hasSize(5).allMatch(why -> why.contains("no IPv6 address"));
    assertThat(found).isEmpty();
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
