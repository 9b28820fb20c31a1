package org.murmur.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.murmur.cli.demo.DemoCommand;
import org.murmur.cli.demo.NodeCommand;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.words.ExitCode;
import org.murmur.p2p.discovery.Endpoint;
import org.murmur.p2p.discovery.NodeAddress;
import org.murmur.p2p.net.Proxy;
import org.murmur.p2p.sync.Discovery;
import org.murmur.wallet.sync.SyncOptions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Every option that names a machine reads it in one way, and so do the variables. */
class HostDoorsTest extends RestoredWallet {

  /** Resolvers take them for another machine than the eye does. */
  private static final List<String> ODD =
      List.of(
          "0177.0.0.1",
          "017700000001",
          "0x7f.0.0.1",
          "0x7f000001",
          "2130706433",
          "127.1",
          "127.0.1",
          "127.0.0.01");

  private static final Map<String, String[]> COMMANDS =
      Map.of(
          "sync --connect", new String[] {"sync", "--connect"},
          "sync --seed-node", new String[] {"sync", "--seed-node"},
          "sync --proxy", new String[] {"sync", "--connect", "192.0.2.1", "--proxy"},
          "sync --pool",
              new String[] {"sync", "--connect", "192.0.2.1", "--privacy", "compact", "--pool"},
          "sync --replace-guard",
              new String[] {"sync", "--connect", "192.0.2.1", "--replace-guard"},
          "lab fp --connect", new String[] {"lab", "fp", "--small", "--connect"},
          "lab probe --connect", new String[] {"lab", "probe", "--connect"},
          "lab probe --seed-node", new String[] {"lab", "probe", "--seed-node"});

  /** The other commands share these options; a new one is added here, and must pass below. */
  @Test
  void theOptionsThatNameAMachineAreThese() {
    Map<String, String> found = new TreeMap<>();
    find("", InstalledTexts.root(), found);
    Set<String> options = new TreeSet<>(found.values());
    Set<String> tried = new TreeSet<>();
    COMMANDS.keySet().forEach(door -> tried.add(door.replaceAll(".* ", "")));
    assertThat(options).isEqualTo(tried);
    assertThat(found).containsEntry("lab fp --connect", "--connect").containsKey("send --proxy");
  }

  /** What an option says of itself that names a machine. */
  private static final Pattern MACHINE =
      Pattern.compile(
          "(?i)\\b(ask|host|this|a|an|its) (\\w+ )?(node|peer|proxy|machine|server)\\b");

  /** Their values are numbers and words. */
  private static final Set<String> NO_MACHINES = Set.of("--max-bytes", "--round-trip", "--verify");

  private static void find(String path, CommandSpec spec, Map<String, String> found) {
    for (OptionSpec option : spec.options()) {
      boolean says =
          option.arity().max() > 0
              && !NO_MACHINES.contains(option.longestName())
              && Arrays.stream(option.description()).anyMatch(text -> MACHINE.matcher(text).find());
      if (says || option.paramLabel().contains("HOST")) {
        found.put((path + " " + option.longestName()).strip(), option.longestName());
      }
    }
    CommandTree.below(spec)
        .forEach((name, below) -> find((path + " " + name).strip(), below, found));
  }

  /** So an option that says nothing of it is found as well: it has to come here. */
  @Test
  void nothingElseReadsAddressesOfMachines() {
    JavaClasses main = MainCode.of("org.murmur.cli");
    noClasses()
        // The demo calls its own node, and the node listens on loopback only.
        .that()
        .doNotBelongToAnyOf(PeerArguments.class, DemoCommand.class, NodeCommand.class)
        .should()
        .callCodeUnitWhere(
            new DescribedPredicate<JavaCall<?>>("read the address of a machine") {
              @Override
              public boolean test(JavaCall<?> call) {
                String name = call.getTarget().getName();
                JavaClass owner = call.getTargetOwner();
                boolean parses =
                    Set.of("parse", "parseAll", "connect", "seedNodes", "getByName", "getAllByName")
                        .contains(name);
                boolean ofText =
                    name.equals("<init>") && owner.isEquivalentTo(InetSocketAddress.class);
                return (parses || ofText) && MACHINES.contains(owner.getName());
              }
            })
        .check(main);
    Set<String> readers =
        main.stream()
            .filter(
                type ->
                    type.getMethodCallsFromSelf().stream()
                        .anyMatch(
                            call ->
                                call.getTargetOwner().isEquivalentTo(PeerArguments.class)
                                    && Set.of("parse", "addresses", "proxy")
                                        .contains(call.getName())))
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertThat(readers)
        .containsExactlyInAnyOrder("PeerArguments", "SyncArguments", "LabFp", "LabProbe");
  }

  private static final Set<String> MACHINES =
      Set.of(
          NodeAddress.class.getName(),
          Endpoint.class.getName(),
          Proxy.class.getName(),
          Discovery.class.getName(),
          SyncOptions.class.getName(),
          InetAddress.class.getName(),
          InetSocketAddress.class.getName());

  @Test
  void noOtherFormOfIpv4IsTaken() {
    COMMANDS.forEach(
        (door, words) ->
            ODD.forEach(
                odd -> {
                  List<String> all = new ArrayList<>(Arrays.asList(words));
                  all.add(odd + ":18444");
                  refuses(door + " " + odd, here().murmur(all.toArray(String[]::new)));
                }));
    refuses("MURMUR_CONNECT", here().environment("MURMUR_CONNECT", ODD.get(0)).murmur("sync"));
    refuses(
        "MURMUR_PROXY",
        here()
            .environment("MURMUR_PROXY", ODD.get(0))
            .murmur("sync", "--connect", "192.0.2.1", "--json"));
  }

  private static void refuses(String what, Ran ran) {
    assertThat(ran.code()).as(what).isEqualTo(ExitCode.USAGE.number());
    assertThat(ran.out() + ran.err())
        .as(what)
        .contains("is no IPv4 address of four decimal numbers without leading zeros");
  }
}
