/**
 * The values of a sync: options go in; events, warnings, reports and the exception for lack of a
 * peer come out. Values only.
 */
@NullMarked
package org.murmur.wallet.sync;

import org.jspecify.annotations.NullMarked;
