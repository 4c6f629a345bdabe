"""Pages that are articles: what is around an article is left out, and other pages keep their content."""

from __future__ import annotations

import pytest

from crosshead.formats.markup.html import read_html
from crosshead.options import ExtractOptions

OG = '<meta property="og:type" content="article">'
PROSE = "A sentence of the article that is long enough to be prose, and to be told from a label. " * 4
STORY = "".join(f"<p>Paragraph {number}. {PROSE}</p>" for number in range(4))
OTHER = "A text of somebody else that is as long as prose usually is, but is not the content of this page. " * 2


def read(body: str, head: str = OG, **options: str) -> str:
    return read_html(f"<html><head>{head}</head><body>{body}".encode(), ExtractOptions(**options)).text


def page(extra: str) -> str:
    return f"<div class='page'><div class='story'><h1>Title</h1>{STORY}{extra}</div></div>"


@pytest.mark.parametrize(
    "names",
    [
        "class='comments'", "id=commentlist", "class='post-comments closed'", "class='relatedPosts'", "class=share-bar",
        "class='newsletter-box'", "id='respond'", "class='author-bio'", "class='sidebarRight'", "class=sponsored",
    ],
)  # fmt: skip
def test_elements_named_as_no_article_are_left_out(names: str) -> None:
    text = read(page(f"<div {names}><p>{OTHER}</p></div>"))
    assert "somebody else" not in text
    assert "Paragraph 3" in text
    assert "# Title" in text


@pytest.mark.parametrize(
    "names",
    [
        "class='commentated'",
        "class=elementor-widget-wrap",
        "class='admonition'",
        "class=has-sidebar",
        "class=shareholders",
    ],
)
def test_names_that_only_begin_alike_are_kept(names: str) -> None:
    assert "somebody else" in read(page(f"<div {names}><p>{OTHER}</p></div>"))


def test_all_is_kept_if_asked_for() -> None:
    assert "somebody else" in read(page(f"<div class=comments>{OTHER}</div>"), main_content="off")


def test_text_after_an_element_that_is_left_out_stays() -> None:
    text = read(page("<div class=share>Share this</div>And the end."))
    assert "Share this" not in text
    assert text.endswith("\n\nAnd the end.\n")


def test_a_list_goes_on_after_what_is_left_out_in_it() -> None:
    text = read(page("<ul><li>one<ul class=share><li>x</ul><li>two</ul>"))
    assert "- one\n- two" in text


def test_long_comments_do_not_make_the_article_go() -> None:
    text = read(page(f"<div id=comments>{'<p>' + OTHER * 4 + '</p>' * 6}</div>"))
    assert "Paragraph 0" in text
    assert "somebody else" not in text


def test_a_thread_of_comments_is_content() -> None:
    posts = "".join(f"<div class=comment><p>Post {number}. {PROSE}</p></div>" for number in range(6))
    text = read(f"<h1>Question</h1><div class=comments>{posts}</div>")
    assert all(f"Post {number}" in text for number in range(6))


def test_posts_without_an_element_around_them_are_content() -> None:
    posts = "".join(f"<div class=reply><p>Post {number}. {PROSE}</p></div>" for number in range(6))
    text = read(f"<h1>Question</h1>{posts}")
    assert all(f"Post {number}" in text for number in range(6))


def test_a_name_of_the_whole_page_is_not_believed_but_the_same_inside_is() -> None:
    text = read(f"<div class=comments-open>{page(f'<div class=comments><p>{OTHER}</p></div>')}</div>")
    assert "Paragraph 0" in text
    assert "somebody else" not in text


def test_posts_of_a_thread_are_alike_and_stay_together() -> None:
    first = f"<div class=post>{STORY * 3}</div>"
    text = read(f"<div class=thread>{first}<div class=post><p>An answer. {PROSE}</p></div></div>")
    assert "An answer" in text


def test_what_is_beside_the_article_is_left_out() -> None:
    boxes = "".join(f"<div class=box{number}>Label {number}</div>" for number in range(40))
    text = read(f"<div class=wrap><div class=left>{boxes}</div><div class=middle>{STORY}</div></div>")
    assert "Label" not in text
    assert text.startswith("Paragraph 0")


def test_title_before_the_article_is_kept() -> None:
    boxes = "".join(f"<div class=box{number}>Label {number}</div>" for number in range(40))
    text = read(f"<div class=top><h1>Title</h1>{boxes}</div><div class=middle>{STORY}</div>")
    assert text.startswith("# Title\n\nParagraph 0")


def test_the_lead_belongs_to_the_article() -> None:
    text = read(f"<div class=story><div class=lead>{OTHER}</div><div class=text>{STORY * 3}</div></div>")
    assert "somebody else" in text


@pytest.mark.parametrize("language", ["Lesen Sie auch", "相关文章", "関連記事", "مقالات ذات صلة"])
def test_blocks_of_links_are_left_out_with_their_heading_in_any_language(language: str) -> None:
    links = "".join(f"<li><a href=/{number}>Headline of another article {number}</a>" for number in range(5))
    text = read(page(f"<h3>{language}</h3><div class=x7><ul>{links}</ul></div>"))
    assert language not in text
    assert "another article" not in text
    assert text.endswith("label.\n")


def test_a_heading_stays_if_text_follows_what_was_left_out() -> None:
    assert "### Next" in read(page(f"<h3>Next</h3><div class=share>Share</div><p>{PROSE}</p>"))


def test_short_chinese_articles_are_articles() -> None:
    story = "<p>" + "这是一篇文章的正文，它的句子不长，但是说明了事情的经过。" * 4 + "</p>"
    boxes = "".join(f"<div class=b{number}>标签{number}</div>" for number in range(60))
    text = read(f"<div class=l>{boxes}</div><div class=m>{story * 3}</div>")
    assert "标签" not in text
    assert text.count("正文") == 12


def test_a_list_of_links_with_summaries_is_content() -> None:
    items = "".join(
        f"<div class=item><div><a href=/{number}>The long title of thread number {number}, as a link</a></div>"
        "<p>A summary of the thread that is long enough to be prose.</p></div>"
        for number in range(30)
    )
    text = read(f"<div class=list>{items}</div>", head='<meta property="og:title" content="x">')
    assert all(f"number {number}," in text for number in range(30))


def test_footnotes_are_kept_though_they_are_made_of_links() -> None:
    notes = "".join(
        f"<li id=fn{number} class=footnote><a href=https://example.org/{number}>A long title of a source {number}</a>"
        for number in range(1, 5)
    )
    text = read(
        page(f"<p>Claim<a href=#fn1 class=footnote-ref><sup>1</sup></a></p><div class=n><ol>{notes}</ol></div>")
    )
    assert "[^1]:" in text
    assert "source 4" in text


@pytest.mark.parametrize(
    "head",
    [
        "",
        OG + '<meta name="generator" content="Sphinx 5.3">',
        OG + '<meta name="generator" content="MediaWiki 1.40">',
        '<meta itemtype="https://schema.org/QAPage">' + OG,
        "<script src=_static/documentation_options.js></script>" + OG,
    ],
)
def test_documentation_wikis_and_questions_are_not_cut(head: str) -> None:
    assert "somebody else" in read(page(f"<div class=comments>{OTHER}</div>"), head)


@pytest.mark.parametrize(
    "head",
    [OG, '<meta property="og:title" content="x">', "<script src=//ads.example.org/x.js></script>"],
)
def test_pages_of_web_sites_are_cut(head: str) -> None:
    assert "somebody else" not in read(page(f"<div class=comments>{OTHER}</div>"), head)


def test_main_content_without_the_marks_of_an_article_is_not_cut() -> None:
    body = f"<main>{STORY}<div class=comments>{OTHER}</div></main>"
    assert "somebody else" in read(body, '<meta property="og:title" content="x">')
    assert "somebody else" not in read(body, OG)


def test_a_page_of_which_little_would_be_left_is_kept() -> None:
    text = read("<div class=banner>Short</div><div class=promo>Also short</div><div class=ads>And this</div>")
    assert "Short" in text
    assert "And this" in text


def test_related_articles_do_not_stand_for_a_short_article() -> None:
    related = f"<div class=related><p>{OTHER * 6}</p></div>"
    text = read(f"<div class=top><p>A short article.</p></div>{related}{'<div>Label</div>' * 20}")
    assert "A short article." in text


def test_an_article_among_many_links_is_cut() -> None:
    links = "".join(f"<li><a href=/{number}>Headline of another article {number}</a>" for number in range(90))
    text = read(
        f"<div class=wrap><div class=x1><ul>{links}</ul></div>{STORY}<div class=x2><ul>{links}</ul></div></div>"
    )
    assert "another article" not in text


def test_structure_of_the_article_is_kept() -> None:
    inside = (
        "<h2>Part</h2><ul><li>one<li>two</ul><table><tr><th>a<th>b<tr><td>1<td>2</table><pre><code>x = 1\n</code></pre>"
    )
    text = read(page(f"{inside}<p>{PROSE}</p>"))
    assert "## Part" in text
    assert "- one\n- two" in text
    assert "| a | b |" in text
    assert "```\nx = 1\n```" in text


def test_the_text_of_an_article_is_read_though_the_page_hides_it() -> None:
    text = read(page(f"<div id=articleBody style='display: none'><p>{OTHER}</p></div>"))
    assert "somebody else" in text
    assert "somebody else" not in read(page(f"<div id=tooltip style='display: none'><p>{OTHER}</p></div>"))


@pytest.mark.parametrize(
    "names",
    [
        "class='entry-content'",
        "id=articleBody",
        "class='c post__content'",
        "itemprop=articleBody",
        "class=field-name-body",
    ],
)
def test_an_element_that_says_it_is_the_text_of_the_article_needs_only_half_of_the_prose(names: str) -> None:
    teasers = "".join(f"<div class=t{number}><p>Teaser. {OTHER}</p></div>" for number in range(6))
    body = f"<h1>Title</h1><div class=wrap><div {names}>{STORY}</div></div>"
    text = read(f"<div>{body}{teasers}</div>")
    assert "Paragraph 3" in text
    assert "Teaser" not in text
    assert "Teaser" in read(f"<div>{body.replace(names, 'class=other')}{teasers}</div>")


def test_posts_that_are_alike_stay_together_though_each_says_it_is_an_article() -> None:
    text = read(
        f"<div><div class=post-content>{STORY * 3}</div><div class=post-content><p>An answer. {PROSE}</p></div></div>"
    )
    assert "An answer" in text


def test_the_lead_between_title_and_article_is_kept_without_what_else_is_there() -> None:
    between = f"<div class=intro><p>{OTHER}</p></div><div class=date>Monday</div>"
    text = read(f"<div class=top><h1>Title</h1>{between}</div><div class=text>{STORY * 3}</div>")
    assert text.startswith("# Title\n\nA text of somebody else")
    assert "Monday" not in text


def test_many_comments_do_not_outweigh_a_short_article() -> None:
    comments = "".join(f"<p>Comment {number}. {PROSE}</p>" for number in range(60))
    text = read(page(f"<div class=comments>{comments}</div>"))
    assert "Paragraph 0" in text
    assert "Comment 0" not in text


def test_the_article_may_be_an_item_of_a_list_that_makes_columns() -> None:
    links = "".join(f"<p>Label {number}</p>" for number in range(40))
    text = read(f"<ul><li class=left>{STORY}</li><li class=right>{links}</li></ul>")
    assert "Paragraph 3" in text
    assert "Label" not in text
