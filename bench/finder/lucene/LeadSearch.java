import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.LogByteSizeMergePolicy;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * The same people and searches in Lucene: one merged segment in result order, so that a page is the first documents
 * that match and nothing is sorted; a single term is counted from the dictionary. Arguments: people file, queries file,
 * index folder, seconds of the mix, threads of the mix. Prints one line of tab-separated values a fact.
 */
public class LeadSearch {
  static final int PAGE = 25;
  static final int ROUNDS = 3;
  static final com.sun.management.OperatingSystemMXBean SYSTEM =
      (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  static class Search {
    String name;
    int page;
    Query query;
  }

  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    MMapDirectory folder = new MMapDirectory(Path.of(args[2]));
    build(Path.of(args[0]), folder);
    long bytes = 0;
    for (String file : folder.listAll()) bytes += folder.fileLength(file);
    System.out.println("built\t" + (System.nanoTime() - start) / 1e9 + "\t" + bytes);
    try (DirectoryReader reader = DirectoryReader.open(folder)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      List<Search> searches = new ArrayList<>();
      for (String line : Files.readAllLines(Path.of(args[1]))) searches.add(parse(line.split("\t")));
      for (int round = 0; round < 2; round++) for (Search search : searches) run(searcher, search, null);
      measure(searcher, searches);
      mix(searcher, searches, Double.parseDouble(args[3]), Integer.parseInt(args[4]));
    }
  }

  static void build(Path people, MMapDirectory folder) throws Exception {
    IndexWriterConfig config = new IndexWriterConfig().setRAMBufferSizeMB(256);
    config.setMergePolicy(new LogByteSizeMergePolicy());
    try (IndexWriter writer = new IndexWriter(folder, config);
        BufferedReader reader = Files.newBufferedReader(people, StandardCharsets.UTF_8)) {
      for (String line; (line = reader.readLine()) != null; ) {
        Document document = new Document();
        for (String part : line.split("\t")) {
          int at = part.indexOf('=');
          String name = part.substring(0, at);
          String value = part.substring(at + 1);
          if (name.equals("number")) document.add(new NumericDocValuesField("number", Long.parseLong(value)));
          else if (name.equals("years")) document.add(new IntPoint("years", Integer.parseInt(value)));
          else for (String term : value.split("\\|")) document.add(new StringField(name, term, Field.Store.NO));
        }
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  /** class, page, then clauses: any:field=a|b, range:years=1..9, place:prefix=city/state/country|…, company=a|b. */
  static Search parse(String[] parts) {
    Search search = new Search();
    search.name = parts[0];
    search.page = Integer.parseInt(parts[1]);
    List<Query> clauses = new ArrayList<>();
    for (String part : Arrays.copyOfRange(parts, 2, parts.length)) {
      int colon = part.indexOf(':');
      int equals = part.indexOf('=');
      String kind = part.substring(0, colon);
      String field = part.substring(colon + 1, equals);
      String[] values = part.substring(equals + 1).split("\\|");
      if (kind.equals("any")) clauses.add(any(field, values));
      else if (kind.equals("place")) clauses.add(places(field, values));
      else if (kind.equals("company")) clauses.add(company(values));
      else clauses.add(IntPoint.newRangeQuery(field, Integer.parseInt(values[0]), Integer.parseInt(values[1])));
    }
    search.query = all(clauses);
    return search;
  }

  static Query any(String field, String[] values) {
    if (values.length == 1) return new TermQuery(new Term(field, values[0]));
    List<BytesRef> terms = new ArrayList<>();
    for (String value : values) terms.add(new BytesRef(value));
    return new TermInSetQuery(field, terms);
  }

  static Query places(String prefix, String[] values) {
    String[] levels = {"City", "State", "Country"};
    List<Query> patterns = new ArrayList<>();
    for (String value : values) {
      String[] names = value.split("/", -1);
      List<Query> clauses = new ArrayList<>();
      for (int level = 0; level < 3; level++) {
        if (!names[level].isEmpty()) clauses.add(new TermQuery(new Term(prefix + levels[level], names[level])));
      }
      patterns.add(all(clauses));
    }
    return some(patterns);
  }

  /** Every word, one of them with one edit at most; or the same letters written apart or together. */
  static Query company(String[] words) {
    List<Query> ways = new ArrayList<>();
    ways.add(new TermQuery(new Term("companyJoined", String.join("", words))));
    for (int edited = -1; edited < words.length; edited++) {
      List<Query> clauses = new ArrayList<>();
      for (int index = 0; index < words.length; index++) {
        Term term = new Term("companyWord", words[index]);
        clauses.add(index == edited ? new FuzzyQuery(term, 1, 0, 1024, true) : new TermQuery(term));
      }
      ways.add(all(clauses));
    }
    return some(ways);
  }

  static Query all(List<Query> clauses) {
    if (clauses.isEmpty()) return new MatchAllDocsQuery();
    if (clauses.size() == 1) return clauses.get(0);
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (Query clause : clauses) builder.add(clause, Occur.FILTER);
    return builder.build();
  }

  static Query some(List<Query> clauses) {
    if (clauses.size() == 1) return clauses.get(0);
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (Query clause : clauses) builder.add(clause, Occur.SHOULD);
    return builder.build();
  }

  static class Page extends SimpleCollector {
    final int skip;
    final boolean counts;
    final List<Integer> documents = new ArrayList<>();
    int total = 0;

    Page(int page, boolean counts) {
      this.skip = (page - 1) * PAGE;
      this.counts = counts;
    }

    @Override
    public void collect(int document) {
      if (total >= skip && total < skip + PAGE) documents.add(document);
      else if (!counts && total >= skip + PAGE) throw new CollectionTerminatedException();
      total++;
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  static int run(IndexSearcher searcher, Search search, List<Long> numbers) throws Exception {
    boolean isTerm = search.query instanceof TermQuery;
    Page page = new Page(search.page, !isTerm);
    searcher.search(search.query, page);
    LeafReaderContext leaf = searcher.getIndexReader().leaves().get(0);
    NumericDocValues values = leaf.reader().getNumericDocValues("number");
    for (int document : page.documents) {
      if (!values.advanceExact(document)) throw new IllegalStateException();
      if (numbers != null) numbers.add(values.longValue());
    }
    return isTerm ? searcher.count(search.query) : page.total;
  }

  /** Of three rounds the quickest time of each search counts, as for the index: the others show the wait for a core. */
  static void measure(IndexSearcher searcher, List<Search> searches) throws Exception {
    double[] best = new double[searches.size()];
    Arrays.fill(best, Double.MAX_VALUE);
    long cpu = SYSTEM.getProcessCpuTime();
    long begun = System.nanoTime();
    for (int round = 0; round < ROUNDS; round++) {
      for (int index = 0; index < best.length; index++) {
        long start = System.nanoTime();
        run(searcher, searches.get(index), null);
        best[index] = Math.min(best[index], (System.nanoTime() - start) / 1e6);
      }
    }
    double wall = (System.nanoTime() - begun) / 1e9;
    double busy = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
    int runs = ROUNDS * best.length;
    System.out.println("single\t" + runs / wall + "\t" + busy * 1000 / runs);
    Map<String, List<Double>> times = new LinkedHashMap<>();
    for (int index = 0; index < best.length; index++) {
      times.computeIfAbsent(searches.get(index).name, (name) -> new ArrayList<>()).add(best[index]);
    }
    times.forEach((name, list) -> {
      list.sort(Double::compare);
      double p99 = list.get(Math.min(list.size() - 1, (int) (list.size() * 0.99)));
      System.out.println("class\t" + name + "\t" + list.get(list.size() / 2) + "\t" + p99);
    });
    for (Search search : searches) {
      List<Long> numbers = new ArrayList<>();
      StringBuilder line = new StringBuilder("found\t" + run(searcher, search, numbers));
      for (long number : numbers) line.append('\t').append(number);
      System.out.println(line);
    }
  }

  static void mix(IndexSearcher searcher, List<Search> searches, double seconds, int threads) throws Exception {
    AtomicInteger next = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    long begun = System.nanoTime();
    long cpu = SYSTEM.getProcessCpuTime();
    List<Future<?>> running = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      running.add(pool.submit(() -> {
        while (System.nanoTime() - begun < seconds * 1e9) {
          run(searcher, searches.get(next.getAndIncrement() % searches.size()), null);
        }
        return null;
      }));
    }
    for (Future<?> each : running) each.get();
    pool.shutdown();
    double wall = (System.nanoTime() - begun) / 1e9;
    double busy = (SYSTEM.getProcessCpuTime() - cpu) / 1e9;
    System.out.println("mix\t" + next.get() / wall + "\t" + busy * 1000 / next.get());
  }
}
