/** What peers have learned from a wallet's filters, for people and for programs. */
@NullMarked
package org.murmur.cli.privacy;

import org.jspecify.annotations.NullMarked;
