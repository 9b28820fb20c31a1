package org.murmur.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.murmur.wallet.SpvWallet;

/** What an app can reach from {@link SpvWallet}, without the interface of the stores. */
class PublicNamesTest {

  /** Of Bitcoin and BIP-0037 itself: another name would be a riddle. */
  private static final Set<String> OF_THE_PROTOCOL =
      Set.of("Address", "BloomFilter", "PartialMerkleTree");

  /** Of kotlin, kotlin.collections and the other packages that every Kotlin file imports. */
  private static final Set<String> OF_KOTLIN =
      Set.of(
          "Any",
          "Array",
          "Collection",
          "Comparable",
          "Error",
          "Exception",
          "Function",
          "Grouping",
          "Iterable",
          "Lazy",
          "List",
          "Map",
          "Nothing",
          "Number",
          "Pair",
          "Regex",
          "Result",
          "Sequence",
          "Set",
          "Triple",
          "Unit");

  @Test
  void noNameIsOneThatAppsImportFromBitcoinjOrKotlin() {
    Set<String> names =
        reachable().stream()
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(names).hasSizeGreaterThan(80).contains("SyncOptions", "WalletCoin", "ChainParams");
    assertThat(names).doesNotContainAnyElementsOf(OF_KOTLIN);
    Set<String> bitcoinj =
        MainCode.of("org.bitcoinj").stream()
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .filter(JavaClass::isTopLevelClass)
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(bitcoinj).contains("Coin", "Network", "ScriptType");
    bitcoinj.removeAll(OF_THE_PROTOCOL);
    assertThat(names).doesNotContainAnyElementsOf(bitcoinj);
  }

  /** Top-level types of ours in the public signatures, and in those of these types. */
  private static Set<Class<?>> reachable() {
    Set<Class<?>> found = new TreeSet<>((a, b) -> a.getName().compareTo(b.getName()));
    Deque<Class<?>> open = new ArrayDeque<>(Set.of(SpvWallet.class));
    while (!open.isEmpty()) {
      Class<?> type = open.pop();
      if (!type.getName().startsWith("org.murmur.")
          || type.getPackageName().contains(".internal")
          || !Modifier.isPublic(type.getModifiers())
          || !found.add(type)) {
        continue;
      }
      signatures(type).flatMap(PublicNamesTest::classes).forEach(open::push);
      open.addAll(Set.of(type.getClasses()));
    }
    found.removeIf(Class::isMemberClass);
    return found;
  }

  private static Stream<Type> signatures(Class<?> type) {
    return Stream.of(type.getMethods())
        .filter(method -> method.getDeclaringClass() == type)
        .flatMap(PublicNamesTest::types);
  }

  private static Stream<Type> types(Method method) {
    return Stream.of(
            Stream.of(method.getGenericReturnType()),
            Stream.of(method.getGenericParameterTypes()),
            Stream.of(method.getExceptionTypes()))
        .flatMap(types -> types);
  }

  private static Stream<Class<?>> classes(Type type) {
    if (type instanceof Class<?> one) {
      return Stream.of(one.isArray() ? one.getComponentType() : one);
    } else if (type instanceof ParameterizedType of) {
      return Stream.concat(
          classes(of.getRawType()),
          Stream.of(of.getActualTypeArguments()).flatMap(PublicNamesTest::classes));
    } else if (type instanceof WildcardType of) {
      return Stream.concat(Stream.of(of.getUpperBounds()), Stream.of(of.getLowerBounds()))
          .flatMap(PublicNamesTest::classes);
    } else if (type instanceof GenericArrayType of) {
      return classes(of.getGenericComponentType());
    }
    return Stream.empty();
  }
}
