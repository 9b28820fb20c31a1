/** Runs the commands of the documents. */
@NullMarked
package org.murmur.cli.pages;

import org.jspecify.annotations.NullMarked;
