package org.murmur.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Amount;
import org.murmur.coins.keys.Address;
import org.murmur.coins.message.MessageSignature;
import org.murmur.coins.psbt.Psbt;
import org.murmur.coins.spend.fee.FeeRate;
import org.murmur.wallet.pay.Proposal;

/**
 * All ways into the wallet: no amount, rate or address comes as a number, a script or a text.
 * Begins at the methods of {@link SpvWallet} and follows the types of their parameters to the
 * factories and constructors that make values of them.
 */
class PaymentValuesTest {

  /** What a bare number or bytes could be mistaken for. */
  private static final Set<Class<?>> BARE =
      Set.of(
          long.class, Long.class, OptionalLong.class, double.class, BigDecimal.class, Bytes.class);

  /** Their own makers are the parsers; the wallet makes the others, and nobody else can. */
  private static final Set<Class<?>> VALUES =
      Set.of(
          Amount.class,
          FeeRate.class,
          Address.class,
          Proposal.class,
          Psbt.class,
          MessageSignature.class);

  /** Bare numbers and bytes that are no money, and why. */
  private static final Set<String> ALLOWED =
      Set.of(
          // Written into the chain.
          "Recipient.data(Bytes)",
          // What a wallet has, for PaymentOrder.from: an app with a wallet leaves that to it.
          "ChangeScript(Bytes,InputSize)",
          "InputCoin(OutPoint,long,Bytes,InputSize,int,boolean,boolean,boolean)",
          "Pending(Hash256,Set,long,long)",
          // False positive rates of filters, and scripts in the world.
          "Universe(double,String)",
          "Universe.chosen(double)");

  @Test
  void noDoorTakesABareNumberForMoney() {
    Set<String> bare = new TreeSet<>();
    doors().stream()
        .filter(door -> Arrays.stream(door.getParameterTypes()).anyMatch(BARE::contains))
        .map(PaymentValuesTest::name)
        .forEach(bare::add);
    assertThat(bare).isEqualTo(new TreeSet<>(ALLOWED));
  }

  /** So the list above is not empty because nothing was looked at. */
  @Test
  void theDoorsAreFound() {
    assertThat(doors().stream().map(PaymentValuesTest::name))
        .contains(
            "WalletPayments.plan(Address,Amount,FeeRate)",
            "Recipient.of(Address,Amount)",
            "Recipient.lessFee(Address,Amount)",
            "Recipient.all(Address)",
            "FeePolicy.maxFee(Amount)",
            "PsbtTerms.maxFee(Amount)",
            "PaymentOrder.of(List,FeeRate)");
  }

  /** An address is a text of a network, a rate names its unit: nothing else makes one. */
  @Test
  void theValuesHaveNoPublicConstructor() {
    for (Class<?> value : List.of(Amount.class, FeeRate.class, Address.class)) {
      assertThat(value.getConstructors()).as(value.getName()).isEmpty();
    }
    assertThat(
            Arrays.stream(Address.class.getMethods())
                .filter(method -> method.getReturnType() == Address.class)
                .map(PaymentValuesTest::name))
        .containsOnly("Address.parse(String)", "Address.parse(String,KeyNetwork)");
  }

  private static List<Executable> doors() {
    List<Executable> doors = new ArrayList<>();
    Set<Class<?>> seen = new HashSet<>(VALUES);
    Deque<Class<?>> open = new ArrayDeque<>(List.of(SpvWallet.class));
    while (!open.isEmpty()) {
      Class<?> type = open.poll();
      if (!seen.add(type)
          || !type.getName().matches("org\\.murmur\\.(wallet|coins)\\..*")
          || type.isEnum()
          || type.isInterface()) {
        continue;
      }
      Stream<Method> methods = Arrays.stream(type.getMethods());
      Stream<Constructor<?>> constructors = Arrays.stream(type.getConstructors());
      Stream.concat(methods, constructors)
          .filter(door -> door.getDeclaringClass() == type && !isOfEveryObject(door))
          .filter(door -> isDoor(type) || makes(door, type))
          .forEach(
              door -> {
                doors.add(door);
                Arrays.stream(door.getGenericParameterTypes()).forEach(each -> add(each, open));
                if (door instanceof Method method && isDoor(method.getReturnType())) {
                  open.add(method.getReturnType());
                }
              });
    }
    return doors;
  }

  /** The wallet, and what its methods lead to: nobody else can make one. */
  private static boolean isDoor(Class<?> type) {
    return type.getPackage() == SpvWallet.class.getPackage()
        && !type.isRecord()
        && !type.isEnum()
        && type.getConstructors().length == 0
        && type != WalletRecipe.class;
  }

  /** Lists and optional values count as what they hold. */
  private static void add(Type type, Deque<Class<?>> open) {
    if (type instanceof Class<?> plain) {
      open.add(plain);
    } else if (type instanceof ParameterizedType of) {
      Arrays.stream(of.getActualTypeArguments()).forEach(each -> add(each, open));
    }
  }

  private static boolean makes(Executable door, Class<?> type) {
    return door instanceof Constructor<?>
        || (door instanceof Method method
            && (method.getReturnType() == type || Modifier.isStatic(method.getModifiers())));
  }

  private static boolean isOfEveryObject(Executable door) {
    return door.isSynthetic() || door.getName().equals("equals");
  }

  private static String name(Executable door) {
    String name = door.getDeclaringClass().getSimpleName();
    return name
        + (door instanceof Constructor<?> ? "" : "." + door.getName())
        + Arrays.stream(door.getParameterTypes())
            .map(Class::getSimpleName)
            .toList()
            .toString()
            .replace('[', '(')
            .replace(']', ')')
            .replace(", ", ",");
  }
}
