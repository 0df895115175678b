"""The browser that the other tests look through."""

from pathlib import Path

import pytest

from tests.page.browser import browsing, needs_browser

PAGE = """<button id="three">save</button><script>
document.getElementById('three').onclick = () => {
  for (const letter of 'abc') {
    const link = document.createElement('a');
    link.download = 'same.json';
    link.href = URL.createObjectURL(new Blob([letter.repeat(3e7)]));
    link.click();
  }
};
</script>"""


@needs_browser
@pytest.mark.thorough
def test_downloads_with_one_name_are_complete_and_in_order(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    with browsing() as browser:
        browser.open(page)
        browser.click(browser.one("#three"))
        for letter in b"abc":
            name, data = browser.saved(".json")
            assert (name, len(data), set(data)) == ("same.json", 30_000_000, {letter})
        assert list(browser.downloads.iterdir()) == []
