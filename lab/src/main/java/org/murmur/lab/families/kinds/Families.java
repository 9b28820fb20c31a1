package org.murmur.lab.families.kinds;

import java.util.List;
import java.util.stream.Stream;

/** All filter families. */
public final class Families {

  private static final List<FilterFamily> ALL =
      Stream.concat(
              Stream.of(
                  new Bip37Bloom(),
                  new GuavaBloom(),
                  new BlockedBloom(),
                  new ScalableBloom(),
                  new CountingBloom(),
                  new SpectralBloom(),
                  new AccurateCounting(),
                  new DLeftCounting(),
                  new CuckooFilter(),
                  new QuotientFilter(),
                  new PeeledFilter(PeeledFilter.Kind.XOR),
                  new PeeledFilter(PeeledFilter.Kind.FUSE3),
                  new PeeledFilter(PeeledFilter.Kind.FUSE4),
                  new GolombCoded()),
              FastFilters.all().stream())
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
