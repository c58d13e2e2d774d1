"""What is asked of ``tf.contrib.learn.preprocessing``, there and here."""

DOCUMENTS = ["The cat's HTTPServer sat, on THE mat-like thing!", "Caf\xe9 42 the the cat O'Neil", ""]


def outcome(learn, path):
    words = learn.VocabularyProcessor(6)
    found = {"ids": rows(words.fit_transform(DOCUMENTS)), "mapping": words.vocabulary_._mapping}
    found["frozen"] = rows(words.transform(["the dog sat"]))
    found["reverse"] = list(words.reverse([[1, 2, 0], [3]]))
    frequent = learn.VocabularyProcessor(5, min_frequency=1)
    found["frequent"] = rows(frequent.fit_transform(DOCUMENTS))
    frequent.save(path)
    found["restored"] = rows(learn.VocabularyProcessor.restore(path).transform(DOCUMENTS))
    blanks = learn.VocabularyProcessor(
        4, vocabulary=words.vocabulary_, tokenizer_fn=lambda ds: (d.split(" ") for d in ds)
    )
    found["given"] = rows(blanks.transform(DOCUMENTS))
    letters = learn.CategoricalVocabulary("?")
    found["letters"] = [letters.get(c) for c in "abca"] + [letters.reverse(2), len(letters)]
    found["bytes"] = rows(learn.ByteProcessor(5).transform(["h\xe9llo w"]))
    found["tokens"] = list(learn.tokenizer(DOCUMENTS))
    return found


def rows(arrays):
    return [[str(a.dtype), a.tolist()] for a in arrays]
