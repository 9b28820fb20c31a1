package org.murmur.wallet;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.murmur.coins.keys.OutputType;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.internal.books.Books;

/**
 * The addresses of a wallet: those that it usually hands out, unless others are chosen. Thread
 * safe.
 */
public final class WalletAddresses {

  private final BooksAccess access;
  private final AddressChoice choice;

  WalletAddresses(BooksAccess access, AddressChoice choice) {
    this.access = access;
    this.choice = choice;
  }

  /**
   * Chooses a script type.
   *
   * @param type one that the wallet has
   * @return the addresses of that type
   */
  public WalletAddresses ofType(OutputType type) {
    return new WalletAddresses(access, new AddressChoice(Optional.of(type), choice.change()));
  }

  /**
   * Chooses addresses for change.
   *
   * @return the addresses for change
   */
  public WalletAddresses forChange() {
    return new WalletAddresses(access, new AddressChoice(choice.type(), true));
  }

  /**
   * Returns the next address that nothing has paid and that {@link #fresh} does not hand out.
   * Asking again gives the same until it, or one after it, is used.
   *
   * @return the address, with a warning if only single addresses are watched and none is left
   * @throws WalletException of kind BAD_INPUT if the wallet has no such addresses; else if the file
   *     cannot be read
   */
  public ReceiveAddress current() {
    return listed(listings -> listings.shown(listings.chain(choice)));
  }

  /**
   * Returns an address that was never paid and never returned by this method or by {@link
   * #current}, and notes that it was handed out. {@link #current} never returns it, unless the
   * wallet watches single addresses and none is left: a warning says so.
   *
   * @return the address, with a warning if a restore would not look that far, or if only single
   *     addresses are watched and none is left
   * @throws WalletException of kind BAD_INPUT if the wallet has no such addresses; else if it
   *     cannot be written
   */
  public ReceiveAddress fresh() {
    Books books = access.books();
    return access.write(
        () -> {
          // One at a time, so that no two callers get the same.
          synchronized (books) {
            Listings.Fresh fresh = listed(listings -> listings.fresh(choice));
            int count = fresh.address().index() + 1;
            books.writeStore(store -> store.handOut(fresh.chain(), count, fresh.kept()));
            return fresh.address();
          }
        });
  }

  /**
   * Lists the addresses that are used or were handed out, and the next one.
   *
   * @return in the order of their chain
   * @throws WalletException of kind BAD_INPUT if the wallet has no such addresses; else if the file
   *     cannot be read
   */
  public List<ReceiveAddress> list() {
    return listed(listings -> listings.addresses(choice));
  }

  private <T> T listed(Function<Listings, T> reader) {
    try {
      return access.list(reader);
    } catch (NoSuchElementException e) {
      throw new WalletException(WalletException.Kind.BAD_INPUT, String.valueOf(e.getMessage()), e);
    }
  }
}
