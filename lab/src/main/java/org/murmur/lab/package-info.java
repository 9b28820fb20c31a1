/**
 * The framework of all experiments: what an experiment is, how its trials are drawn, divided and
 * merged, and what it produces.
 *
 * <p>An {@link org.murmur.lab.Experiment} is a pure function of its parameters and a seed. It
 * consists of {@link org.murmur.lab.Trial}s. The random numbers of each trial depend only on the
 * seed, the experiment's name and the trial's number. Each trial yields rows of one {@link
 * org.murmur.lab.Table} of observations. So a {@link org.murmur.lab.Shard} of the trials is an
 * exact part of the whole. Exceptions are measurements of clocks and connections: times of
 * families, behaviour of real clients, answers of an external node. All conclusions (tables, plots,
 * verdicts: a {@link org.murmur.lab.Section}) are computed from the observations, after a merge as
 * after a run.
 *
 * <p>A {@link org.murmur.lab.Column} names a value once, for tables on the terminal and the page,
 * CSV and JSON. {@link org.murmur.lab.Texts} are sentences, and the options of a study's command.
 *
 * <p>A {@link org.murmur.lab.Study} is the set of experiments that one command runs ({@code murmur
 * lab fp}), with common {@link org.murmur.lab.Parameters}. To add a study: implement {@link
 * org.murmur.lab.StudyKind}, add it to the catalogue of {@code org.murmur.lab.report}, and add a
 * command in {@code cli}. The framework then provides running, shards, merging, files, progress and
 * the report.
 */
@NullMarked
package org.murmur.lab;

import org.jspecify.annotations.NullMarked;
