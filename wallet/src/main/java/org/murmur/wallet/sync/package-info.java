/**
 * The glue: batches of the machine become changes of the books, which become one transaction of the
 * store.
 */
@NullMarked
package org.murmur.wallet.sync;

import org.jspecify.annotations.NullMarked;
