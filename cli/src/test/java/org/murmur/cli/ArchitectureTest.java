package org.murmur.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The module table of the design, checked on the compiled main code of all modules. */
class ArchitectureTest {

  /** Values in, values out: no sockets, threads, clocks, files or dice. */
  private static final String[] PURE = {
    "org.murmur.bip37..",
    "org.murmur.p2p.chain..",
    "org.murmur.p2p.discovery..",
    "org.murmur.p2p.sync..",
    "org.murmur.p2p.internal..",
    "org.murmur.coins.psbt..",
    "org.murmur.coins.message..",
    "org.murmur.coins.spend..",
    "org.murmur.coins.label.."
  };

  /** The packages of the machine: each knows only those before it. */
  private static final List<String> ROOMS =
      List.of("peers", "dial", "headers", "scan", "compact", "pool", "machine");

  /** Packages that only the wallet uses. */
  private static final String[] INSIDE_THE_WALLET = {
    "org.murmur.wallet.internal..", "org.murmur.coins.internal.."
  };

  /** The wallet's session and its parts, without the runner that gives it threads. */
  private static final String SESSION =
      "org\\.murmur\\.wallet\\.internal\\.session\\.(WalletSession|SessionGoal|SessionProgress|SessionEnd"
          + "|Participants|BlockCount|BroadcastReplies|WarningList|FinalWarnings|BooksSummary"
          + "|EventTranslation|RunnerState|PaymentStates|FeesSeen)(\\$.*)?";

  /** Where bitcoinj is for primitives only. */
  private static final String[] OWN_WORK = {
    "org.murmur.bip37..",
    "org.murmur.p2p..",
    "org.murmur.coins..",
    "org.murmur.wallet..",
    "org.murmur.regtest..",
    "org.murmur.testbed..",
    "org.murmur.cli.."
  };

  private static JavaClasses main;

  @BeforeAll
  static void readClasses() {
    main =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.murmur");
  }

  @Test
  void everyModuleIsChecked() {
    // A rule over nothing is always kept.
    for (String name :
        new String[] {
          "org.murmur.bip37.BloomFilter",
          "org.murmur.p2p.internal.chain.HeaderChain",
          "org.murmur.p2p.internal.machine.SyncMachine",
          "org.murmur.coins.keys.Mnemonic",
          "org.murmur.wallet.internal.session.WalletSession",
          "org.murmur.regtest.RegtestNode",
          "org.murmur.testbed.world.World",
          "org.murmur.cli.Murmur"
        }) {
      assertThat(main.contain(name)).as(name).isTrue();
    }
  }

  @Test
  void importsGoToTheRightOnly() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .withOptionalLayers(true)
        .layer("bip37")
        .definedBy("org.murmur.bip37..")
        .layer("p2p")
        .definedBy("org.murmur.p2p..")
        .layer("coins")
        .definedBy("org.murmur.coins..")
        .layer("wallet")
        .definedBy("org.murmur.wallet..")
        .layer("regtest")
        .definedBy("org.murmur.regtest..")
        .layer("testbed")
        .definedBy("org.murmur.testbed..")
        .layer("lab")
        .definedBy("org.murmur.lab..")
        .layer("cli")
        .definedBy("org.murmur.cli..")
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("lab")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("wallet")
        .mayOnlyBeAccessedByLayers("lab", "cli")
        .whereLayer("coins")
        .mayOnlyBeAccessedByLayers("wallet", "lab", "cli")
        .whereLayer("testbed")
        .mayOnlyBeAccessedByLayers("lab", "cli")
        .whereLayer("regtest")
        .mayOnlyBeAccessedByLayers("testbed", "lab", "cli")
        .whereLayer("p2p")
        .mayOnlyBeAccessedByLayers("wallet", "regtest", "testbed", "lab", "cli")
        .check(main);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("org.murmur.(**)").should().beFreeOfCycles().check(main);
  }

  /** The packages of worlds and studies are public to each other; others use their entry points. */
  @Test
  void worldsAndStudiesKeepTheirRooms() {
    onlyUsedBy("testbed.world", "judge", "network", "chain");
    onlyUsedBy("lab.families", "kinds");
    onlyUsedBy("lab.privacy", "chain", "clients", "adversaries", "behaviour");
  }

  private static void onlyUsedBy(String owner, String... rooms) {
    String[] packages =
        Stream.of(rooms).map(room -> "org.murmur." + owner + "." + room).toArray(String[]::new);
    noClasses()
        .that()
        .resideOutsideOfPackage("org.murmur." + owner + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages)
        .check(main);
  }

  /** The output texts know no command. */
  @Test
  void wordsAndTerminalKnowNoCommand() {
    noClasses()
        .that()
        .resideInAPackage("org.murmur.cli.words..")
        .should()
        .dependOnClassesThat(resideInAPackage("org.murmur.cli..").and(not(inWords())))
        .check(main);
    noClasses()
        .that()
        .resideInAPackage("org.murmur.cli.terminal..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.murmur.cli..")
                .and(not(inWords()))
                .and(not(resideInAPackage("org.murmur.cli.terminal.."))))
        .check(main);
  }

  private static DescribedPredicate<JavaClass> inWords() {
    return resideInAPackage("org.murmur.cli.words..");
  }

  /** Coverage knows what is watched and which peers were asked, and nothing of how. */
  @Test
  void coverKnowsNoOtherPartOfTheSync() {
    noClasses()
        .that()
        .resideInAPackage("org.murmur.p2p.internal.cover..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "org.murmur.p2p.chain..",
                    "org.murmur.p2p.internal.net..",
                    "org.murmur.p2p.sync..",
                    "org.murmur.p2p.internal..")
                .and(not(resideInAPackage("org.murmur.p2p.internal.cover.."))))
        .check(main);
  }

  /** Headers do not know which peer to call, and calls do not depend on headers. */
  @Test
  void roomsOfTheMachineKnowThoseBeforeThemOnly() {
    for (int i = 0; i < ROOMS.size(); i++) {
      List<String> behind = new ArrayList<>();
      ROOMS.subList(i + 1, ROOMS.size()).forEach(room -> behind.add(room(room)));
      if (ROOMS.get(i).equals("headers")) {
        behind.add(room("dial"));
      }
      if (!behind.isEmpty()) {
        noClasses()
            .that()
            .resideInAPackage(room(ROOMS.get(i)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(behind.toArray(String[]::new))
            .check(main);
      }
    }
  }

  private static String room(String name) {
    return "org.murmur.p2p.internal." + name + "..";
  }

  /** They are public to each other; others may use the library's interface and the machine. */
  @Test
  void packagesAreUsedByTheirOwnersOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage("org.murmur.p2p..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            ROOMS.stream()
                .filter(name -> !name.equals("machine"))
                .map(ArchitectureTest::room)
                .toArray(String[]::new))
        .check(main);
  }

  /** They are public to each other. Simulated worlds run the session and the books themselves. */
  @Test
  void theWalletsInternalsAreUsedByTheWalletOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "org.murmur.coins..", "org.murmur.wallet..", "org.murmur.lab.simulate..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(INSIDE_THE_WALLET)
        .check(main);
  }

  /** An app cannot name a type that is inside, so no public method asks for one. */
  @Test
  void theInterfaceNamesNothingInside() {
    Set<String> inside = new TreeSet<>();
    for (JavaClass type : main) {
      boolean isPublic = type.getModifiers().contains(JavaModifier.PUBLIC);
      if (isPublic
          && type.getName().matches("org\\.murmur\\.(bip37|p2p|coins|wallet)\\..*")
          && !type.getPackageName().contains(".internal")) {
        type.getCodeUnits().stream()
            .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(ArchitectureTest::namesWhatIsInside)
            .forEach(unit -> inside.add(type.getSimpleName() + "." + unit.getName()));
      }
    }
    // It is for the wallet and the worlds, and stands beside what it needs of its package.
    assertThat(inside).containsExactly("Planning.<init>");
  }

  private static boolean namesWhatIsInside(JavaCodeUnit unit) {
    return Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
        .anyMatch(type -> type.getPackageName().contains(".internal"));
  }

  /** The values of a sync do not know how it runs. */
  @Test
  void valuesOfASyncKnowNoSession() {
    noClasses()
        .that()
        .resideInAPackage("org.murmur.wallet.sync..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(INSIDE_THE_WALLET)
        .check(main);
  }

  /** The values of the machine know none of its parts. */
  @Test
  void theDoorKnowsNoRoom() {
    noClasses()
        .that()
        .resideInAnyPackage("org.murmur.p2p.sync..", "org.murmur.p2p.internal.sync..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOMS.stream().map(ArchitectureTest::room).toArray(String[]::new))
        .check(main);
  }

  /** No class of the module depends on itself through others. */
  @Test
  void theMachineHasNoCirclesOfClasses() {
    hasNoCirclesOfClasses("p2p");
  }

  @Test
  void keysAndSigningHaveNoCirclesOfClasses() {
    hasNoCirclesOfClasses("coins");
  }

  /** The store over the file makes the draft of a new wallet, which is such a store. */
  @Test
  void theWalletHasNoCirclesOfClasses() {
    hasNoCirclesOfClasses("wallet", "org.murmur.wallet.internal.sqlite");
  }

  private static void hasNoCirclesOfClasses(String module, String... exempt) {
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                return type.getPackageName().startsWith("org.murmur." + module)
                        && !List.of(exempt).contains(type.getPackageName())
                    ? SliceIdentifier.of(outermost(type))
                    : SliceIdentifier.ignore();
              }

              @Override
              public String getDescription() {
                return "classes of " + module;
              }
            })
        .should()
        .beFreeOfCycles()
        .check(main);
  }

  private static String outermost(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }

  @Test
  void pureCodeTouchesNothingOutside() {
    pureCodeDependsOnNo("java.net..", "java.nio.channels..", "java.nio.file..").check(main);
    noClasses()
        .that(isPure())
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Random.class)
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("java.util.concurrent..")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(LocalDateTime.class, "now")
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .check(main);
  }

  @Test
  void socketsBelongToOnePackage() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "org.murmur.bip37..", "org.murmur.p2p..", "org.murmur.coins..", "org.murmur.wallet..")
        .and()
        .resideOutsideOfPackages("org.murmur.p2p.internal.net..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.net\\..*Socket.*|java\\.nio\\.channels\\.(.*Socket.*|Select.*|Network.*)")
        .check(main);
  }

  /** Name look-ups and connections can bypass a proxy: only the shell may do either. */
  @Test
  void namesAreLookedUpInOnePackage() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "org.murmur.bip37..",
            "org.murmur.p2p..",
            "org.murmur.coins..",
            "org.murmur.wallet..",
            "org.murmur.cli..")
        .and()
        .resideOutsideOfPackages("org.murmur.p2p.net..", "org.murmur.p2p.internal.net..")
        .and()
        .doNotHaveFullyQualifiedName("org.murmur.cli.demo.NodeCommand") // serves on loopback
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.net\\.(.*Address|URL.*|.*Connection)")
        .check(main);
    noClasses()
        .that()
        .resideInAnyPackage("org.murmur.p2p.net..", "org.murmur.p2p.internal.net..")
        .and()
        .doNotHaveSimpleName("HostNames")
        .should()
        .callMethod(InetAddress.class, "getByName", String.class)
        .orShould()
        .callMethod(InetAddress.class, "getHostName")
        .orShould()
        .callMethod(InetAddress.class, "getCanonicalHostName")
        .orShould()
        .callConstructor(InetSocketAddress.class, String.class, int.class)
        .check(main);
  }

  @Test
  void theLedgerIsPure() {
    noClasses()
        .that()
        .resideInAnyPackage("org.murmur.wallet.ledger..", "org.murmur.wallet.internal.ledger..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "java.net..", "java.nio..", "org.sqlite..")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .allowEmptyShould(true)
        .check(main);
  }

  @Test
  void bitcoinjBringsPrimitivesOnly() {
    noClasses()
        .that()
        .resideInAnyPackage(OWN_WORK)
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "org\\.bitcoinj\\.(core\\.(Context|Peer.*|.*BlockChain.*|BloomFilter)|wallet\\..*"
                + "|store\\..*|net\\..*|kits\\..*|protocols\\..*)")
        .check(main);
    noClasses()
        .that()
        .resideInAnyPackage("org.murmur.bip37..", "org.murmur.p2p..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.bitcoinj..", "com.google..")
        .check(main);
    noClasses()
        .that()
        .resideInAnyPackage("org.murmur.bip37..", "org.murmur.p2p..")
        .and()
        .resideOutsideOfPackage("org.murmur.p2p.internal.v2")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.bouncycastle..")
        .check(main);
  }

  @Test
  void theLibraryKnowsNoCommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackages("org.murmur.cli..", "org.murmur.lab..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("picocli..")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .check(main);
  }

  @Test
  void aBrokenRuleWouldBeNoticed() {
    // Everything here depends on java.lang, so this rule must fail.
    assertThatThrownBy(() -> pureCodeDependsOnNo("java.lang..").check(main))
        .isInstanceOf(AssertionError.class);
  }

  private static DescribedPredicate<JavaClass> isPure() {
    return resideInAnyPackage(PURE)
        .and(not(resideInAPackage("org.murmur.p2p.internal.net..")))
        .or(nameMatching(SESSION))
        .as("pure classes");
  }

  private static ArchRule pureCodeDependsOnNo(String... packages) {
    return noClasses().that(isPure()).should().dependOnClassesThat().resideInAnyPackage(packages);
  }
}
