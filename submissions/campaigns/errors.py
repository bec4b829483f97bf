from exchange.core.errors import Conflict, NotFound


class CampaignNotFound(NotFound):
    """There is no such campaign, or you may not know of it."""

    code = "campaign_not_found"


class CampaignOpen(Conflict):
    """A campaign is going on at this endpoint. Wait for its end, or cancel it."""

    code = "campaign_open"


class TooManyCampaigns(Conflict):
    """Your organization has as many open campaigns as it may. Wait for the end of one, or cancel one."""

    code = "too_many_campaigns"


class NothingToCheck(Conflict):
    """No deployment is in the state that this mode checks. Discover models, or choose another mode."""

    code = "nothing_to_check"


class CampaignClosed(Conflict):
    """The campaign has ended."""

    code = "campaign_closed"


class ProfileNotUsable(Conflict):
    """No load can be made by this. Choose a published version of a performance benchmark."""

    code = "profile_not_usable"


class NoPreviousCampaign(NotFound):
    """No earlier campaign with the same scope has ended."""

    code = "no_previous_campaign"
