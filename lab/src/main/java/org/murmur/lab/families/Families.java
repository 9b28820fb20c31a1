package org.murmur.lab.families;

import java.util.List;
import java.util.stream.Stream;

/** All filter families. */
public final class Families {

  /** The filter of the protocol. */
  public static final FilterFamily BIP37 = Bip37Bloom.FAMILY;

  private static final List<FilterFamily> ALL =
      Stream.of(
              List.of(
                  BIP37,
                  GuavaBloom.FAMILY,
                  BlockedBloom.FAMILY,
                  ScalableBloom.FAMILY,
                  CountingBloom.FAMILY,
                  SpectralBloom.FAMILY,
                  AccurateCounting.FAMILY,
                  DLeftCounting.FAMILY,
                  CuckooFilter.FAMILY,
                  QuotientFilter.FAMILY),
              PeeledFilter.families(),
              List.of(GolombCoded.FAMILY),
              FastFilters.families())
          .flatMap(List::stream)
          .toList();

  private Families() {}

  /**
   * Returns all families: Bloom filters first, then counting filters, then fingerprint tables, then
   * static filters; those of the library fastfilter last.
   */
  public static List<FilterFamily> all() {
    return ALL;
  }

  /**
   * Finds a family by its {@link FilterFamily#name}. Throws {@link IllegalArgumentException} if
   * there is none.
   */
  public static FilterFamily named(String name) {
    return ALL.stream()
        .filter(family -> family.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "family '"
                        + name
                        + "', expected one of "
                        + String.join(", ", ALL.stream().map(FilterFamily::name).toList())));
  }
}
