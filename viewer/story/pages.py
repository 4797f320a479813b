"""All pages of the town's story."""

from viewer.house import AppRuns
from viewer.story import news_page, path_page, relations_page, story_page


def add(house: AppRuns) -> None:
    """Add the story, the newspaper, the path of a piece of news, and the relations."""
    for page in (story_page, news_page, path_page, relations_page):
        page.add(house)
