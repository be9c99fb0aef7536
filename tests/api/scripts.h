/* scripts.h - the scripts of some folders, one after the other, for tests that play them all.
 *
 * FRAY_TEST_FILES: a list of other scripts, one to a line, that are taken instead. */
#ifndef FRAY_TESTS_API_SCRIPTS_H
#define FRAY_TESTS_API_SCRIPTS_H

#include <dirent.h>

#include "tests/api/host.h"

#include "lang/api/interp.h"
#include "lang/api/odds.h"

struct script {
	const char *path;
	int folder;        /* which of the folders; -1: of FRAY_TEST_FILES */
	struct told told;
	struct fray *f;
	char *text;
	bool right;        /* read without errors */
};

/* malloc'ed; NULL: there is no such file */
static inline char *read_whole(const char *path, size_t *length)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	long n = ftell(f);
	rewind(f);
	char *text = malloc((size_t)n + 1);
	assert_non_null(text);
	*length = fread(text, 1, (size_t)n, f);
	fclose(f);
	return text;
}

static const char *script_path; /* of the one being read */

static inline char *module_beside(const char *name, size_t *length)
{
	char path[800];
	const char *slash = strrchr(script_path, '/');
	snprintf(path, sizeof path, "%.*s/%s.fray", slash ? (int)(slash - script_path) : 1, slash ? script_path : ".", name);
	return read_whole(path, length);
}

static inline void script_open(struct script *s, const char *path)
{
	size_t length = 0;
	memset(s, 0, sizeof *s);
	s->folder = -1;
	s->path = script_path = path;
	s->told.module = module_beside;
	s->f = host_open(&s->told);
	s->text = read_whole(path, &length);
	if (!s->text)
		fail_msg("there is no %s", path);
	s->right = host_load(s->f, s->text, length) == FRAY_OK;
}

static inline void script_close(struct script *s)
{
	fray_close(s->f);
	free(s->text);
}

static inline void script_look(const char *path, int folder, void (*look)(const struct script *s))
{
	struct script s;
	script_open(&s, path);
	s.folder = folder;
	if (s.right)
		look(&s);
	else if (folder < 0)
		print_message("%s: %s\n", path, s.told.first);
	script_close(&s);
}

/* Each that can be read. */
static inline void scripts_each(const char *const *folder, int folders, void (*look)(const struct script *s))
{
	char path[400];
	if (getenv("FRAY_TEST_FILES")) {
		FILE *list = fopen(getenv("FRAY_TEST_FILES"), "r");
		assert_non_null(list);
		while (fgets(path, sizeof path, list)) {
			path[strcspn(path, "\n")] = '\0';
			script_look(path, -1, look);
		}
		fclose(list);
		return;
	}
	for (int k = 0; k < folders; k++) {
		DIR *d = opendir(folder[k]);
		assert_non_null(d);
		for (struct dirent *e; (e = readdir(d));) {
			size_t n = strlen(e->d_name);
			snprintf(path, sizeof path, "%s/%s", folder[k], e->d_name);
			if (n >= 6 && !strcmp(e->d_name + n - 5, ".fray"))
				script_look(path, k, look);
		}
		closedir(d);
	}
}

/* As odds play it, with the measures of the last question that stands in it, or the usual ones; NULL where it cannot be. */
static inline struct program *link_measured(struct fray *f, int encounter)
{
	struct model *m = &f->model;
	m->measures = odds_usual_measures(f, encounter, true);
	for (const struct node *n = m->encounter.v[encounter].node->a; n; n = n->next)
		if (n->kind == N_KIND_Q_ODDS && n->b)
			m->measures = n->b;
	m->reporting = true;
	m->pass = 9;
	infer_measures(m, encounter, m->measures);
	m->for_odds = true;
	struct program *p = link_encounter(m, encounter, false);
	m->for_odds = false;
	m->measures = NULL;
	return p;
}

#endif
