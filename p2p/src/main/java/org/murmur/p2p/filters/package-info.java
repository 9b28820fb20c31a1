/**
 * The filter of each link: what the server got ({@code FilterSession}), a model of the server-side
 * filter ({@code FilterCopy}), and transactions that it cannot match ({@code TxCheck}).
 */
@NullMarked
package org.murmur.p2p.filters;

import org.jspecify.annotations.NullMarked;
