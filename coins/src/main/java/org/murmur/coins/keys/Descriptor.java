package org.murmur.coins.keys;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bouncycastle.math.ec.ECPoint;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.bytes.Hex;
import org.murmur.coins.internal.crypto.GeneratorSums;
import org.murmur.coins.internal.crypto.Hashes;
import org.murmur.coins.internal.crypto.Secp256k1;
import org.murmur.coins.internal.script.Scripts;
import org.murmur.coins.keys.DescriptorSyntax.KeyPart;
import org.murmur.coins.keys.DescriptorSyntax.Origin;

/**
 * An output descriptor (BIP-0380): defines which scripts a wallet watches. It holds public keys
 * only; private ones are refused.
 *
 * <p>Understood are {@code pkh(KEY)}, {@code wpkh(KEY)}, {@code sh(wpkh(KEY))}, {@code tr(KEY)}
 * (spent by key), {@code wsh(multi(…))}, {@code wsh(sortedmulti(…))}, both also within {@code
 * sh(…)}, and {@code addr(ADDRESS)}. A KEY is an {@code xpub} or {@code tpub} with a path, possibly
 * {@code <0;1>} (BIP-0389), or a compressed public key in hex; both with or without an origin.
 *
 * <p>Immutable, for any thread; equal by canonical text and network. Keys are decoded only when a
 * script is derived, so that descriptors of a {@linkplain #stored stored} wallet cost nothing.
 */
public final class Descriptor {

  private final KeyNetwork network;
  private final DescriptorSyntax syntax;
  private final String canonical;
  private final boolean change;
  private volatile @Nullable Deriver deriver;

  /**
   * The public key of a single-key script, and where it comes from. Other signers find their
   * private key with this.
   *
   * @param type of the script
   * @param compressed 33 bytes; for taproot the internal key, before its tweak
   * @param fingerprint 4 bytes: of the master key, or of the key in the descriptor if that has no
   *     origin
   * @param path steps from the key with that fingerprint; negative ones are hardened
   */
  public record PublicKey(
      OutputType type, Bytes compressed, Bytes fingerprint, List<Integer> path) {

    /** Copies the path. */
    public PublicKey {
      path = List.copyOf(path);
    }

    /**
     * Writes the path.
     *
     * @return for instance {@code m/84h/1h/0h/0/5}
     */
    public String pathText() {
      return "m" + Origin.steps(path);
    }
  }

  private Descriptor(KeyNetwork network, DescriptorSyntax syntax, boolean change) {
    this.network = network;
    this.syntax = syntax;
    this.change = change;
    String printed = syntax.print();
    this.canonical = printed + "#" + DescriptorChecksum.of(printed);
  }

  private static Descriptor of(KeyNetwork network, DescriptorSyntax syntax) {
    boolean change =
        syntax.keys().stream()
            .findFirst()
            .filter(KeyPart::wildcard)
            .filter(key -> !key.steps().isEmpty())
            .filter(key -> key.steps().get(key.steps().size() - 1).equals(List.of(1)))
            .isPresent();
    return new Descriptor(network, syntax, change);
  }

  /**
   * Reads and checks a descriptor that a person gave.
   *
   * @param text the descriptor; the checksum may be missing, a wrong one is refused
   * @param network the wallet's network
   * @return the descriptor
   * @throws DescriptorException if it is not understood, or a key or address in it is damaged,
   *     private or of another network; the message says where and what was expected
   */
  public static Descriptor parse(String text, KeyNetwork network) {
    Descriptor descriptor = stored(text.trim(), network);
    descriptor.deriver();
    return descriptor;
  }

  /**
   * Reads a descriptor that was checked before it was stored. Its keys are decoded only when the
   * first script is derived.
   *
   * @param canonical what {@link #canonical} printed
   * @param network the wallet's network
   * @return the descriptor
   * @throws DescriptorException if it is not understood
   */
  public static Descriptor stored(String canonical, KeyNetwork network) {
    return of(network, DescriptorParser.parse(canonical));
  }

  /**
   * {@return the canonical text, with checksum: hardened steps are written with {@code h}, hex in
   * lower case; what {@link #stored} reads}
   */
  public String canonical() {
    return canonical;
  }

  /** {@return the network of its addresses, the network it was read for} */
  public KeyNetwork network() {
    return network;
  }

  /**
   * Splits {@code <a;b>} into one descriptor for each alternative, in order.
   *
   * @return at least one; this descriptor itself if there is nothing to split
   */
  public List<Descriptor> expand() {
    int alternatives = alternatives();
    if (alternatives == 1) {
      return List.of(this);
    }
    return IntStream.range(0, alternatives)
        .mapToObj(i -> new Descriptor(network, syntax.alternative(i), i == 1))
        .collect(Collectors.toList());
  }

  /**
   * {@return whether it stands for a chain of scripts rather than a single one; true if a key ends
   * in {@code /*}}
   */
  public boolean ranged() {
    return syntax.keys().stream().anyMatch(KeyPart::wildcard);
  }

  /**
   * {@return whether it looks like a chain of change addresses: the second of {@code <a;b>}, or a
   * path that ends in {@code /1/*}; true for change} A hint only.
   */
  public boolean change() {
    return change;
  }

  /** {@return the script type, nothing for multisig and addresses} */
  public Optional<OutputType> scriptType() {
    return syntax instanceof DescriptorSyntax.Single single
        ? Optional.of(single.type())
        : Optional.empty();
  }

  /**
   * {@return the extended key of a single-key descriptor, without its path: the account's xpub;
   * nothing if there is none or there are several}
   */
  public Optional<ExtendedKey> extendedKey() {
    return syntax instanceof DescriptorSyntax.Single single && single.key().extended()
        ? Optional.of(ExtendedKey.parse(single.key().text(), network))
        : Optional.empty();
  }

  /**
   * Returns the derivation path of a script's (first) key.
   *
   * @param index the place in the chain; ignored where there is none
   * @return from the master key, as {@code m/84h/1h/0h/0/5}, if the origin is known; otherwise from
   *     the key in the descriptor, as {@code 0/5}; empty for an address or a bare key
   */
  public String pathOf(int index) {
    if (syntax.keys().isEmpty()) {
      return "";
    }
    requireSplit();
    KeyPart key = syntax.keys().get(0);
    Origin origin = key.origin();
    String below = Origin.steps(key.path()) + (key.wildcard() ? "/" + index : "");
    if (origin != null) {
      return "m" + Origin.steps(origin.path()) + below;
    }
    return below.isEmpty() ? "" : below.substring(1);
  }

  /**
   * Derives one script.
   *
   * @param index its place in the chain; 0 if the descriptor is not {@link #ranged}
   * @return the script
   * @throws IllegalArgumentException if there is no such place
   * @throws IllegalStateException if the descriptor must be {@linkplain #expand expanded} first
   */
  public DerivedScript derive(int index) {
    List<DerivedScript> scripts = derive(index, 1);
    if (scripts.isEmpty()) {
      throw new IllegalArgumentException("index " + index + ": the descriptor has one script only");
    }
    return scripts.get(0);
  }

  /**
   * Derives consecutive scripts, which is much faster than one by one.
   *
   * @param from the first place, from 0
   * @param count how many
   * @return the scripts in order; if the descriptor is not {@link #ranged}, its one script if it is
   *     among those asked for
   * @throws IllegalArgumentException if a number is negative or the range ends above 2^31 - 1
   * @throws IllegalStateException if the descriptor must be {@linkplain #expand expanded} first
   */
  public List<DerivedScript> derive(int from, int count) {
    if (from < 0 || count < 0 || (long) from + count > 1L << 31) {
      throw new IllegalArgumentException(
          "scripts " + from + " to " + ((long) from + count) + ": expected 0 to 2147483648");
    }
    requireSplit();
    if (ranged()) {
      return deriver().derive(from, count);
    }
    return from == 0 && count > 0 ? deriver().derive(0, 1) : List.of();
  }

  /**
   * Derives the public key of one script.
   *
   * @param index its place in the chain; ignored if the descriptor is not {@link #ranged}
   * @return nothing for multisig and addresses
   * @throws IllegalArgumentException if there is no such place
   * @throws IllegalStateException if the descriptor must be {@linkplain #expand expanded} first
   */
  public Optional<PublicKey> key(int index) {
    requireSplit();
    if (!(syntax instanceof DescriptorSyntax.Single single)) {
      return Optional.empty();
    }
    KeyPart part = single.key();
    Bytes publicKey = deriver().publicKey(index);
    Origin origin = part.origin();
    List<Integer> path = new ArrayList<>(origin == null ? List.of() : origin.path());
    path.addAll(part.path());
    if (part.wildcard()) {
      path.add(index);
    }
    String fingerprint = origin == null ? ownFingerprint(part, publicKey) : origin.fingerprint();
    return Optional.of(
        new PublicKey(single.type(), publicKey, Bytes.ofHex(fingerprint), List.copyOf(path)));
  }

  private String ownFingerprint(KeyPart part, Bytes publicKey) {
    return part.extended()
        ? ExtendedKey.parse(part.text(), network).fingerprint()
        : Bytes.wrap(Hashes.hash160(publicKey.unsafeArray())).slice(0, 4).toHex();
  }

  private int alternatives() {
    return syntax.keys().stream().mapToInt(KeyPart::alternatives).max().orElse(1);
  }

  private void requireSplit() {
    if (alternatives() > 1) {
      throw new IllegalStateException("several chains in one descriptor: expand it first");
    }
  }

  private Deriver deriver() {
    Deriver known = deriver;
    if (known == null) {
      known = new Deriver(syntax, network);
      deriver = known;
    }
    return known;
  }

  /** The same canonical text on the same network. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Descriptor d && canonical.equals(d.canonical) && network == d.network;
  }

  @Override
  public int hashCode() {
    return canonical.hashCode();
  }

  /** The canonical text. */
  @Override
  public String toString() {
    return canonical;
  }

  /** The decoded side: a separate class, so that curves are loaded only when it is used. */
  private static final class Deriver {
    private final DescriptorSyntax syntax;
    private final KeyNetwork network;
    private final List<Source> sources = new ArrayList<>();
    private final @Nullable Address address;

    Deriver(DescriptorSyntax syntax, KeyNetwork network) {
      this.syntax = syntax;
      this.network = network;
      for (KeyPart key : syntax.keys()) {
        sources.add(source(key, network));
      }
      address = syntax instanceof DescriptorSyntax.Address a ? address(a, network) : null;
    }

    private static Address address(DescriptorSyntax.Address address, KeyNetwork network) {
      try {
        return Address.parse(address.text(), network);
      } catch (AddressException e) {
        throw new DescriptorException(String.valueOf(e.getMessage()), e);
      }
    }

    /** Of a single-key script, compressed. */
    Bytes publicKey(int index) {
      return encoded(sources.get(0).points(index, 1)[0]);
    }

    List<DerivedScript> derive(int from, int count) {
      Address known = address;
      if (known != null) {
        return List.of(new DerivedScript(0, known.scriptPubKey(), known.element(), known.text()));
      }
      List<ECPoint[]> points =
          sources.stream().map(s -> s.points(from, count)).collect(Collectors.toList());
      return syntax instanceof DescriptorSyntax.Multisig multisig
          ? multisig(multisig, points, from, count)
          : single(((DescriptorSyntax.Single) syntax).type(), points.get(0), from);
    }

    private List<DerivedScript> single(OutputType type, ECPoint[] points, int from) {
      ECPoint[] keys = type == OutputType.P2TR ? GeneratorSums.taprootOutputs(points) : points;
      List<DerivedScript> scripts = new ArrayList<>(keys.length);
      for (int i = 0; i < keys.length; i++) {
        scripts.add(derived(from + i, type.script(encoded(keys[i]))));
      }
      return scripts;
    }

    private List<DerivedScript> multisig(
        DescriptorSyntax.Multisig multisig, List<ECPoint[]> points, int from, int count) {
      List<DerivedScript> scripts = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        int k = i;
        List<Bytes> keys = points.stream().map(p -> encoded(p[k])).collect(Collectors.toList());
        Bytes script =
            Scripts.witnessScriptHash(
                Scripts.multisig(multisig.threshold(), keys, multisig.sorted()));
        scripts.add(derived(from + i, multisig.nested() ? Scripts.scriptHash(script) : script));
      }
      return scripts;
    }

    private static Bytes encoded(ECPoint key) {
      return Bytes.wrap(Secp256k1.encode(key));
    }

    private DerivedScript derived(int index, Bytes script) {
      String text = Address.of(script, network).orElse("");
      return new DerivedScript(index, script, Scripts.pushed(script), text);
    }

    /** The source of a key expression's points. */
    private interface Source {
      ECPoint[] points(int from, int count);
    }

    private static Source source(KeyPart key, KeyNetwork network) {
      if (!key.extended()) {
        return fixed(hexPoint(key.text()));
      }
      ExtendedKey extended = ExtendedKey.parse(key.text(), network);
      for (int step : key.path()) {
        extended = extended.child(step);
      }
      return key.wildcard() ? extended::children : fixed(extended.point());
    }

    private static Source fixed(ECPoint point) {
      return (from, count) -> {
        ECPoint[] points = new ECPoint[count];
        Arrays.fill(points, point);
        return points;
      };
    }

    private static ECPoint hexPoint(String hex) {
      byte[] bytes = Hex.parse(hex.length() == 64 ? "02" + hex : hex);
      try {
        return Secp256k1.decode(bytes);
      } catch (IllegalArgumentException e) {
        throw new DescriptorException("'" + hex + "' is no public key: not on the curve", e);
      }
    }
  }
}
